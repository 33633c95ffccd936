package holdfast.spark.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.plan.Header;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.spark.Sparks;
import holdfast.spark.engine.SparkEngine;
import holdfast.testkit.Logged;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Settings about how tables are written and what columns become mean the same to Spark as to one process: the model file
 * and the warnings are the same, and the model reads the same file.
 */
class MessyTablesTest {
    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        spark = Sparks.session("local[2]")
                .config("spark.sql.files.maxPartitionBytes", 5000)
                .config("spark.sql.files.openCostInBytes", 0)
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** Rows together, sources none of which may lie, and sources one of which may. */
    private static List<Plan> plans(String... settings) {
        Plan plan = Plan.defaults().with("rounds", "2").with("learning-rate", "0.3");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        Plan bySource = plan.with("workers-by", "site");
        return List.of(
                plan.with("workers", "4").with("drop", "site"),
                bySource.with("tolerated", "0"),
                bySource.with("tolerated", "1"));
    }

    private String write(String text, Charset encoding) {
        try {
            return Files.write(folder.resolve("t.csv"), text.getBytes(encoding)).toString();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String write(String text) {
        return write(text, StandardCharsets.UTF_8);
    }

    /** Returns the warnings, which are those of one process. */
    private static List<String> trainsAlike(String file, Plan plan) {
        String[] expected = new String[1];
        String[] made = new String[1];
        List<String> saidHere = Logged.during(() -> expected[0] =
                ModelFile.of(Training.of(DataFile.read(file, plan), plan).run()).print());
        List<String> saidThere = Logged.during(() -> {
            try (SparkFile.Opened opened = new SparkFile(spark, file).read(plan)) {
                SparkEngine engine = new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark);
                try (PreparedRun prepared = engine.startWorkers(spark)) {
                    ModelFile model =
                            ModelFile.of(Training.of(opened.source(), plan).run(prepared));
                    made[0] = model.print();
                    Dataset here = DataFile.read(file, ModelFile.parse(file, model.print()), true);
                    Dataset there = new SparkFile(spark, file)
                            .read(
                                    opened,
                                    engine.features(),
                                    engine.encoding(),
                                    plan.model(opened.schema()).target(),
                                    Header.AUTO);
                    assertThat(there.rows()).isEqualTo(here.rows());
                    for (int r = 0; r < here.rows(); r++) {
                        assertThat(there.row(r)).containsExactly(here.row(r));
                        assertThat(there.label(r)).isEqualTo(here.label(r));
                    }
                }
            }
        });
        assertThat(made[0]).isEqualTo(expected[0]);
        List<String> leftOut =
                saidThere.stream().filter(line -> line.contains("left out")).toList();
        assertThat(leftOut)
                .isEqualTo(saidHere.stream()
                        .filter(line -> line.contains("left out"))
                        .toList());
        return leftOut;
    }

    private static void assertSameRefusal(String file, Plan plan, String message) {
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan))
                .isInstanceOf(InputException.class)
                .hasMessage(file + message);
        assertThatThrownBy(() -> DataFile.read(file, plan)).isInstanceOf(InputException.class);
    }

    /** Missing cells are the words and numbers that the plan names, in columns of numbers, of text, and in the first row. */
    @ParameterizedTest
    @ValueSource(strings = {"mean", "indicator"})
    void otherMissingValuesAreMissing(String missing) {
        Randomness random = Seed.of(1).random();
        StringBuilder out = new StringBuilder("a,word,b,site,y\n");
        for (int r = 0; r < 400; r++) {
            double x = random.nextGaussian();
            out.append(r % 9 == 0 ? "-999.0" : r % 7 == 0 ? " n/A " : Double.toString(x))
                    .append(r % 8 == 0 ? ",-999" : r % 5 == 0 ? ",N/a" : ",w" + random.nextInt(4))
                    .append(r % 6 == 0 ? ",-9.99e2" : "," + random.nextGaussian())
                    .append(",s" + r % 5)
                    .append(x > 0 ? ",yes\n" : ",no\n");
        }
        String file = write(out.toString());
        for (Plan plan : plans("missing-values", "N/A,-999", "missing", missing)) {
            trainsAlike(file, plan);
        }
        assertSameRefusal(
                file,
                plans("missing-values", "N/A,-999").get(0),
                ": row 1, column 1 (a) is missing; use --missing median, mean or indicator to fill it");
    }

    /** What categories are in scaled rows is learnt from all rows, and travels to where they are. */
    @Test
    void categoriesChangeAsAWholeAlike() {
        Randomness random = Seed.of(9).random();
        StringBuilder out = new StringBuilder("x,word,z,colour,site,y\n");
        for (int r = 0; r < 400; r++) {
            double x = random.nextGaussian();
            int word = random.nextInt(3);
            out.append(String.format(
                    Locale.ROOT,
                    "%.4f,%s,%.4f,%s,S%d,%s%n",
                    x,
                    List.of("east", "north", "").get(word),
                    random.nextGaussian(),
                    r % 2 == 0 ? "red" : "blue",
                    r % 6,
                    x + 2 * word + random.nextGaussian() > 1.5 ? "yes" : "no"));
        }
        String file = write(out.toString());
        for (Plan plan : plans("missing", "indicator", "prices", "x=4,word=whole(0.2)")) {
            trainsAlike(file, plan.with("lambda", "1"));
            trainsAlike(file, plan.with("radius", "0.1").with("learning-rate", "auto"));
            trainsAlike(file, plan.with("lambda", "auto").with("storage", "float"));
        }
        Plan number = plans("missing", "indicator", "prices", "x=whole(2)").get(0);
        assertThatThrownBy(() -> trainsAlike(file, number))
                .isInstanceOf(InputException.class)
                .hasMessage("--prices: 'x' is no column of text, so it cannot change as a whole; leave out whole(...)");
    }

    @Test
    void numbersMayHaveDecimalCommas() {
        Randomness random = Seed.of(2).random();
        StringBuilder out = new StringBuilder("a;version;w;site;y\n");
        for (int r = 0; r < 300; r++) {
            double x = random.nextGaussian();
            out.append(String.format(
                    Locale.ROOT,
                    "%s;%d.%d;%s;%s;%s%n",
                    r % 9 == 4 ? "-99,5" : Double.toString(x).replace('.', ','),
                    r % 3,
                    r % 2,
                    r % 10 == 0 ? "0,0" : "1,5",
                    r % 4 + ",5",
                    Double.toString(x + random.nextGaussian()).replace('.', ',')));
        }
        String file = write(out.toString());
        for (Plan plan : plans("decimal", "comma", "weights-by", "w")) {
            trainsAlike(file, plan);
            trainsAlike(file, plan.with("missing-values", "-99.50").with("missing", "mean"));
        }
    }

    @Test
    void aTableWithoutAHeaderMayHaveDecimalCommas() {
        Randomness random = Seed.of(2).random();
        StringBuilder out = new StringBuilder();
        for (int r = 0; r < 200; r++) {
            String x = Double.toString(random.nextGaussian()).replace('.', ',');
            out.append(x).append(";north;").append(r % 2 == 0 ? "yes\n" : "no\n");
        }
        trainsAlike(write(out.toString()), plans("decimal", "comma").get(0).with("drop", "2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"latin-1", "windows-1252", "Shift_JIS", "GB18030"})
    void tablesMayBeInOtherEncodings(String encoding) {
        boolean western = encoding.contains("1");
        String[] words = western && !encoding.startsWith("GB")
                ? new String[] {"süd", "œst".replace("œ", encoding.equals("latin-1") ? "ö" : "œ"), "\"há, lló\""}
                : new String[] {"表示", "北", "\"能, ソ\""};
        Randomness random = Seed.of(3).random();
        String name = words[0];
        StringBuilder out = new StringBuilder("x," + name + ",site,y\n");
        for (int r = 0; r < 300; r++) {
            double x = random.nextGaussian();
            out.append(x)
                    .append(',')
                    .append(words[random.nextInt(3)])
                    .append(',')
                    .append(words[1])
                    .append(r % 5)
                    .append(',')
                    .append(x > 0 ? words[0] : words[1])
                    .append('\n');
        }
        String file = write(out.toString(), PlanKey.ENCODING.parse(encoding));
        for (Plan plan : plans("encoding", encoding)) {
            trainsAlike(file, plan);
        }
    }

    @Test
    void linesOfLibSvmMayBeInOtherEncodings() {
        StringBuilder out = new StringBuilder();
        for (int r = 0; r < 100; r++) {
            out.append(r % 2 == 0 ? "1" : "0").append(" 1:" + r % 7 + " 2:" + r % 3 + " # über\n");
        }
        trainsAlike(
                write(out.toString(), StandardCharsets.ISO_8859_1),
                Plan.defaults().with("encoding", "latin-1").with("workers", "3").with("rounds", "2"));
    }

    /** A table with a day and a time of day, row numbers and names; some cells are missing if the plan fills them. */
    private static String visits(boolean missing) {
        Randomness random = Seed.of(5).random();
        StringBuilder out = new StringBuilder("visit,day,x,time,name,amount,site,y\n");
        for (int r = 0; r < 320; r++) {
            double x = random.nextGaussian();
            int day = 1 + random.nextInt(28);
            out.append(String.format(
                    Locale.ROOT,
                    "%d,%s,%s,%s,n%d,\"%d,%02d\",s%d,%s%n",
                    10 + 3 * r,
                    missing && r % 9 == 0 ? "?" : String.format("20%02d-%02d-%02d", r % 30, 1 + r % 12, day),
                    missing && r % 7 == 0 ? "" : Double.toString(x),
                    missing && r % 8 == 1
                            ? "NA"
                            : String.format(" 2024-05-%02dT%02d:30:00.25+02:00", day, random.nextInt(24)),
                    r,
                    r,
                    r % 100,
                    r % 5,
                    x + 0.1 * day > 1 ? "yes" : "no"));
        }
        return out.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"number", "parts", "text"})
    void datesBecomeTheSame(String dates) {
        List<String> missing = List.of("fail", "mean", "indicator");
        for (int i = 0; i < missing.size(); i++) {
            String file = write(visits(i > 0));
            Plan plan = plans("dates", dates, "missing", missing.get(i), "only", "day,x,time")
                    .get(i);
            trainsAlike(file, plan.with("drop", ""));
        }
    }

    /** Numbers that count up, names that all differ, and numbers with commas, which look like words. */
    @Test
    void identifiersAreLeftOutAndNamed() {
        String file = write(visits(false));
        for (Plan plan : plans("dates", "parts")) {
            String distinct = "320 distinct values in 320 rows: looks like an identifier";
            assertThat(trainsAlike(file, plan))
                    .containsExactly(
                            file + ": column visit is left out: whole numbers that count up or are nearly all distinct:"
                                    + " looks like an identifier; --keep visit would use it",
                            file + ": column name is left out: " + distinct + "; --keep name would use it",
                            file + ": column amount is left out: " + distinct
                                    + ", or like numbers with a decimal comma,"
                                    + " for which there is --decimal comma; --keep amount would use it");
            assertThat(trainsAlike(file, plan.with("keep", "visit"))).hasSize(2);
        }
        Plan together = plans("dates", "number").get(0);
        assertThat(trainsAlike(file, together.with("keep", "all"))).isEmpty();
        assertThat(trainsAlike(file, together.with("one-hot", "name,day,time,amount")))
                .hasSize(1);
        assertThat(trainsAlike(file, together.with("decimal", "comma").with("keep", "name")))
                .hasSize(2);
        Plan plan = plans().get(0).with("drop", "day,x,time,amount,site");
        assertSameRefusal(
                file,
                plan,
                ": no feature is left: column visit has whole numbers that count up or are nearly all distinct: looks"
                        + " like an identifier; --keep visit,name would use it");
    }

    @Test
    void whatIsNoDateIsNamed() {
        String[] lines = visits(false).split("\n");
        lines[200] = lines[200].replaceFirst("20\\d\\d-\\d\\d-\\d\\d", "soon");
        lines[250] = lines[250].replaceFirst("20\\d\\d-\\d\\d-\\d\\d", "later");
        String file = write(String.join("\n", lines));
        String reason =
                ": row 200, column 2 (day) must be a date like most of the column, got 'soon'; use --missing-values if"
                        + " it stands for a missing one, --dates text if the column holds categories";
        assertSameRefusal(file, plans().get(0), reason);
        trainsAlike(
                file, plans("missing", "mean", "missing-values", "soon,later").get(0));
        trainsAlike(file, plans("dates", "text", "keep", "all").get(0));
        String good = folder.resolve("good.csv").toString();
        Plan plan = plans().get(0);
        try {
            Files.writeString(Path.of(good), visits(false));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        try (SparkFile.Opened opened = new SparkFile(spark, good).read(plan)) {
            SparkEngine engine = new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark);
            assertThatThrownBy(() -> new SparkFile(spark, file)
                            .read(
                                    opened,
                                    engine.features(),
                                    engine.encoding(),
                                    plan.model(opened.schema()).target(),
                                    Header.AUTO))
                    .isInstanceOf(InputException.class)
                    .hasMessage(file + ": row 200, column 2 (day) must be a date such as 2024-05-31, got 'soon'");
        }
    }

    /** Medians of the days of dates and of numbers, by weight. */
    @Test
    void missingCellsAreFilledWithTheMedian() {
        String file = write(visits(true));
        for (Plan plan : plans("missing", "median", "dates", "parts", "weights-by", "visit")) {
            trainsAlike(file, plan);
        }
    }

    /** Numbers and texts of Parquet are missing as those of a table are; letters are its own business. */
    @Test
    void parquetHasMissingValuesToo() {
        StringBuilder csv = new StringBuilder("a,n,word,y\n");
        List<Row> rows = new ArrayList<>();
        Randomness random = Seed.of(4).random();
        for (int r = 0; r < 200; r++) {
            double a = r % 9 == 1 ? -999 : random.nextGaussian();
            int n = r % 11 == 1 ? -999 : r % 6;
            String word = r % 7 == 1 ? "none" : "w" + r % 3;
            rows.add(RowFactory.create(a, n, word, r % 2));
            csv.append(a + "," + n + "," + word + "," + r % 2 + "\n");
        }
        String file = folder.resolve("t.parquet").toString();
        spark.createDataFrame(
                        rows,
                        new StructType()
                                .add("a", DataTypes.DoubleType)
                                .add("n", DataTypes.IntegerType)
                                .add("word", DataTypes.StringType)
                                .add("y", DataTypes.IntegerType))
                .coalesce(1)
                .write()
                .parquet(file);
        Plan plan = Plan.defaults().with("missing", "mean").with("missing-values", "-999,None");
        holdfast.preparation.Encoding expected = Training.of(DataFile.read(write(csv.toString()), plan), plan)
                .run()
                .model()
                .encoding();
        try (SparkFile.Opened opened = new SparkFile(spark, file).read(plan)) {
            assertThat(new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark).encoding())
                    .isEqualTo(expected);
        }
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan.with("encoding", "latin-1")))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": --encoding is for text, and parquet says itself how letters are stored; got"
                        + " 'latin-1'");
    }
}
