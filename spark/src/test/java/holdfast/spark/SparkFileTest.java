package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Laws;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.model.Target;
import holdfast.training.Engagement;
import holdfast.training.Training;
import holdfast.training.TrainingPlan;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Spark reads is what the readers of one process read: names, classes, rows, and so the model, to the bit. */
class SparkFileTest {
    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static TrainingPlan plan(String... settings) {
        TrainingPlan plan =
                TrainingPlan.defaults().with("rounds", "5").with("workers", "4").with("learning-rate", "0.3");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return plan;
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static void trainsAlike(String file, String locally, TrainingPlan plan) {
        Dataset data = DataFile.read(locally, plan);
        TrainingRun expected = Training.of(data, plan).run();
        try (SparkFile.Learnt learnt = new SparkFile(spark, file).read(plan)) {
            assertThat(learnt.schema().withoutGroups()).isEqualTo(data.schema().withoutGroups());
            if (file.equals(locally)) {
                assertThat(learnt.source()).isEqualTo(data.source());
            }
            SparkEngine engine = new SparkEngine(learnt.table(), plan, learnt.schema(), learnt.source(), spark);
            try (Engagement engaged = engine.engage(spark)) {
                TrainingRun run = Training.of(learnt.source(), plan).run(engaged);
                assertThat(Laws.bits(run.model().theta()))
                        .isEqualTo(Laws.bits(expected.model().theta()));
                assertThat(run.model().schema()).isEqualTo(expected.model().schema());
                assertThat(engaged.names())
                        .isEqualTo(
                                expected.ledger().stream().map(l -> l.worker()).toList());
            }
            Dataset again = new SparkFile(spark, file)
                    .read(learnt, plan.model(learnt.schema()).target(), "auto");
            assertThat(again.rows()).isEqualTo(data.rows());
            for (int r = 0; r < data.rows(); r += 97) {
                assertThat(again.row(r)).containsExactly(data.row(r));
                assertThat(again.label(r)).isEqualTo(data.label(r));
            }
        }
    }

    private static String table(int rows, char separator, boolean header, boolean text, String label) {
        Randomness random = Seed.of(1).child("table").random();
        StringBuilder out = new StringBuilder(header ? "age,Power,region,w,site,y\n" : "");
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(2);
            String region = List.of("north", "\"so, uth\"", "west").get(random.nextInt(3));
            double score = x[0] - x[1] + random.nextGaussian();
            String y = label.equals("classes")
                    ? score > 1 ? "high" : score > -1 ? "mid" : "low"
                    : label.equals("number") ? String.format(Locale.ROOT, "%.6f", score) : score > 0 ? "1" : "0";
            out.append(String.format(
                    Locale.ROOT,
                    "%.5f,%s,%s,%.2f,%s,%s%n",
                    x[0],
                    x[1],
                    text ? region : Integer.toString(random.nextInt(5)),
                    0.5 + random.nextDouble(),
                    "s" + (r * 7 % 5),
                    y));
        }
        return separator == ','
                ? out.toString()
                : out.toString().replace("\"so, uth\"", "south").replace(',', separator);
    }

    @ParameterizedTest
    @CsvSource({
        "comma, true, false, two",
        "comma, true, true, classes",
        "semicolon, true, true, number",
        "tab, true, false, number"
    })
    void tablesAreReadAlike(String separator, boolean header, boolean text, String label) throws IOException {
        char sign = separator.equals("comma") ? ',' : separator.equals("tab") ? '\t' : ';';
        String file = write("table.csv", table(1100, sign, header, text, label));
        trainsAlike(file, file, plan("workers-by", "site", "weights-by", "w"));
        trainsAlike(file, file, plan("one-hot", "site,region", "partition", "in-turn", "test-share", "0"));
    }

    @Test
    void tablesWithoutAHeaderToo() throws IOException {
        String file = write("table.csv", table(700, ',', false, true, "two"));
        trainsAlike(file, file, plan("workers-by", "5"));
    }

    @Test
    void aFileInManySplitsHasItsRowsInTheirOrder() throws IOException {
        String file = write("table.csv", table(4000, ',', true, true, "two"));
        spark.conf().set("spark.sql.files.maxPartitionBytes", 20_000);
        try {
            trainsAlike(file, file, plan("workers-by", "site"));
        } finally {
            spark.conf().unset("spark.sql.files.maxPartitionBytes");
        }
    }

    @Test
    void parquetIsReadLikeTheTableItWasMadeOf() throws IOException {
        String csv = write("table.csv", table(900, ',', true, true, "two"));
        String parquet = folder.resolve("table.parquet").toString();
        spark.read()
                .option("header", true)
                .option("inferSchema", true)
                .csv(csv)
                .coalesce(1)
                .write()
                .parquet(parquet);
        trainsAlike(parquet, csv, plan("workers-by", "site"));
    }

    @Test
    void libSvmIsReadAlike() throws IOException {
        Randomness random = Seed.of(2).random();
        StringBuilder out = new StringBuilder("# made\n\n");
        for (int r = 0; r < 900; r++) {
            double x = random.nextGaussian();
            out.append(String.format(
                    Locale.ROOT,
                    "%s %d:%.4f %d:1 # %d%n",
                    x > 0 ? "+1" : "-1",
                    1 + r % 3,
                    x,
                    10 + random.nextInt(300),
                    r));
        }
        String file = write("rows.svm", out.toString());
        trainsAlike(file, file, plan());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a,b,y;1,2,0;1,,1;3,4,0| |: row 2, column 2 (b) is missing; Spark trains on whole rows: fill the column or drop the row before",
                "a,b,y;1,2,0;1,x,1| |: row 2, column 2 (b) must be a finite number, got 'x'; if b holds categories, name it in one-hot",
                "a,b,y;1,2,0;1,1| |: row 2: must have 3 cells like the first line",
                "a,b,y;1,2,0;1,1,1,1| |: row 2: must have 3 cells like the first line",
                "a,b,y;1,2,0;1,2,| |: row 2, column 3 (y) must be a label, got an empty cell",
                "a,b,y;1,2,7;1,2,7| |: there must be rows of different labels, but every y is 7",
                "a,b,y;1,2,0;1,2,1|label=z|: label 'z' is not a column; there are a, b, y",
                "a,b,y;1,2,0;1,-2,1|weights-by=b|: row 2, column 2 (b) must be a weight, a number > 0, got '-2'",
                "a,b,y;1,2,0;1,,1|workers-by=b|: row 2, column 2 (b) must name a source, got an empty cell",
                "a,b,y;1,2,0;1,2,x|model=linear|: row 2, column 3 (y) must be a number, got 'x'",
                "a,b,y| |: no data rows",
                "1 1:2;0 2:3 2:4| |: row 2: indices must ascend, got '2:4' after 2",
                "1 1:2;3:4| |: row 2: must begin with a label, got '3:4'",
                "1 1:2;0 1:3|label=y|: label names a column, and libsvm data have none; got 'y'"
            })
    void mistakesAreNamed(String lines, String setting, String message) throws IOException {
        String file = write("wrong.csv", lines.replace(';', '\n') + "\n");
        TrainingPlan plan = setting == null ? plan() : plan(setting.split("="));
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan))
                .isInstanceOf(InputException.class)
                .hasMessage(file + message);
    }

    @Test
    void othersToo() throws IOException {
        String file = write("t.csv", "a,b,y\n1,x,0\n2,z,1\n2,z,1\n");
        assertThatThrownBy(() -> new SparkFile(spark, file + "2").read(plan()))
                .hasMessage(file + "2: cannot be read: no such file");
        assertThatThrownBy(() -> new SparkFile(spark, "-").read(plan()))
                .hasMessage("--engine spark reads files, got -");
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan("missing", "mean")))
                .hasMessage(
                        "missing mean fills cells in one process only; Spark trains on whole rows: fill the columns before");
        String other = write("u.csv", "y,b,a\n0,x,1\n1,w,1\n");
        try (SparkFile.Learnt learnt = new SparkFile(spark, file).read(plan())) {
            assertThatThrownBy(() -> new SparkFile(spark, other).read(learnt, Target.TWO_CLASSES, "auto"))
                    .hasMessage(other + ": row 2, column 2 (b) must be a category met in training, got 'w'");
        }
        assertThatThrownBy(() -> SparkTraining.mustRunOn(25))
                .isInstanceOf(InputException.class)
                .hasMessage("Spark 4.1 runs on Java 17 to 21, got Java 25 (" + System.getProperty("java.home")
                        + "); JAVA_HOME may name another");
        SparkTraining.mustRunOn(21);
    }
}
