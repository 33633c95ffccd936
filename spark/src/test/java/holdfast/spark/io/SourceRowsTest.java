package holdfast.spark.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.spark.Sparks;
import holdfast.spark.engine.SparkEngine;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messy sources are the same to Spark as to one process: who is unusable and why, classes, columns and the model. */
class SourceRowsTest {
    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        spark = Sparks.session("local[2]")
                .config("spark.sql.files.maxPartitionBytes", 2000)
                .config("spark.sql.files.openCostInBytes", 0)
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Plan plan(int f, String... settings) {
        Plan plan = Plan.defaults()
                .with("workers-by", "from")
                .with("tolerated", Integer.toString(f))
                .with("rounds", "4");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return plan;
    }

    private String write(String text) {
        try {
            return Files.writeString(folder.resolve("t.csv"), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a run says, or how it fails; lines are counted with the header, rows are not. */
    private static List<String> outcome(Supplier<TrainingRun> training) {
        List<String> said = new ArrayList<>();
        List<String> logged = Logged.during(() -> {
            try {
                TrainingRun run = training.get();
                said.add(ModelFile.of(run).print());
                run.unusable().forEach(source -> said.add(asRow(source.toString())));
                run.ledger().forEach(line -> said.add(line.toString()));
            } catch (RuntimeException e) {
                said.add(e.getClass().getSimpleName() + ": " + asRow(e.getMessage()));
            }
        });
        // Which of several values is the example depends on their order in the table, which Spark sorts.
        logged.stream()
                // Only one process warns of columns that change nothing.
                .filter(line -> !line.contains(" gives y away"))
                .map(line -> asRow(line).replaceAll("such as '.*'", "such as ..."))
                .distinct()
                .forEach(said::add);
        return said;
    }

    private static String asRow(String text) {
        return Pattern.compile("line (\\d+)")
                .matcher(text)
                .replaceAll(found -> "row " + (Integer.parseInt(found.group(1)) - 1));
    }

    private static TrainingRun local(String file, Plan plan) {
        return Training.of(DataFile.read(file, plan), plan).run();
    }

    private static TrainingRun onSpark(String file, Plan plan) {
        try (SparkFile.Opened opened = new SparkFile(spark, file).read(plan);
                PreparedRun prepared = new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark)
                        .startWorkers(spark)) {
            return Training.of(opened.source(), plan).run(prepared);
        }
    }

    private void sameAsLocal(String text, Plan plan) {
        String file = write(text);
        assertThat(outcome(() -> onSpark(file, plan))).isEqualTo(outcome(() -> local(file, plan)));
    }

    /** Honest sources that mostly agree, and liars among them whose rows hold anything. */
    private static String table(Randomness random, int liars) {
        String[] words = {"red", "green", "7a", "12", "007"};
        String[] wild = {"", "NA", "x", "1e308", "1e999", "inf", "0", "1", "red", "-0.0", "+1", "1.0", "ill", "w"};
        int kind = random.nextInt(4);
        int sources = 4 * liars + 1 + random.nextInt(3);
        List<String> rows = new ArrayList<>();
        for (int r = 0; r < 40 * sources; r++) {
            String label = switch (kind) {
                case 0 -> r % 3 == 0 ? "ill" : "well";
                case 1 -> Integer.toString(random.nextInt(5)) + (random.nextInt(9) == 0 ? ".0" : "");
                case 2 -> Double.toString(random.nextGaussian());
                default -> random.nextInt(60) == 0 ? "odd" + random.nextInt(3) : "" + random.nextInt(2);
            };
            rows.add(random.nextGaussian() + ","
                    + (r < 9 ? r % 3 + ".0" : words[random.nextInt(words.length)]) + ","
                    + words[r % 3] + ",S" + random.nextInt(sources) + "," + (1 + r % 2) + "," + label);
        }
        for (int liar = 0; liar < liars; liar++) {
            int manner = random.nextInt(4);
            int count = 1 + random.nextInt(60);
            for (int r = 0; r < count; r++) {
                int number = r;
                Supplier<String> cell = () -> switch (manner) {
                    case 0 -> "w" + number;
                    case 1 -> Double.toString(number + 0.25);
                    case 2 -> Integer.toString(1000 + number);
                    default -> wild[random.nextInt(wild.length)];
                };
                rows.add(
                        random.nextInt(2) == 0 ? r : random.nextInt(rows.size() + 1),
                        cell.get() + "," + cell.get() + "," + cell.get() + ",L" + liar + "," + (r % 9 == 8 ? "0" : "2")
                                + "," + cell.get());
            }
        }
        return "a,b,c,from,w,y\n" + String.join("\n", rows) + "\n";
    }

    @Test
    void anyTableGivesTheModelAndTheReasonsOfOneProcess() {
        Laws.check(10, seed -> {
            Randomness random = seed.random();
            int liars = 1 + random.nextInt(2);
            String text = table(random, liars);
            Plan plan = plan(
                    liars,
                    "missing",
                    List.of("fail", "mean", "indicator").get(random.nextInt(3)),
                    "test-share",
                    List.of("0", "0.2").get(random.nextInt(2)));
            sameAsLocal(text, random.nextInt(2) == 0 ? plan : plan.with("weights-by", "w"));
            sameAsLocal(text, plan.with("tolerated", "1"));
        });
    }

    /** Ten sources with a number, a word, a weight and a label; the first rows of S3 and S7 are replaced. */
    private static String tenSources(String ofS3, String ofS7) {
        return "x,word,w,from,y\n"
                + IntStream.range(0, 200)
                        .mapToObj(r -> r == 3
                                ? ofS3
                                : r == 7
                                        ? ofS7
                                        : r % 13 + ".5," + (r % 4 < 2 ? "red" : "blue") + ",2,S" + r % 10 + ","
                                                + (r / 10 % 2 == 0 ? "no" : "yes"))
                        .collect(Collectors.joining("\n"));
    }

    @Test
    void everyFaultIsChargedAsInOneProcess() {
        String good = "1,red,2,S7,no";
        for (String bad : List.of(
                "two,red,2,S3,no",
                "1e999,red,2,S3,no",
                ",red,2,S3,no",
                "1,red,-1,S3,no",
                "1,red,2,S3,NA",
                "1,red,2,,no",
                "1,red,2,S3,maybe")) {
            String text = tenSources(bad, good);
            sameAsLocal(text, plan(1, "weights-by", "w"));
            sameAsLocal(text, plan(1, "weights-by", "w", "one-hot", "word"));
            sameAsLocal(text, plan(1, "weights-by", "w", "tolerated", "0.1", "replicas", "2"));
        }
        sameAsLocal(tenSources("1,red,2,S3,m", "1,red,2,S7,m"), plan(1, "model", "logistic"));
        sameAsLocal(
                tenSources("1,red,2,S3,no", good).replace(",no", ",1").replace(",yes", ",four"),
                plan(1, "model", "linear"));
    }

    @Test
    void moreUnusableSourcesThanToleratedStopTraining() {
        String file = write(tenSources("two,red,2,S3,no", ",red,2,S7,no"));
        assertThatThrownBy(() -> onSpark(file, plan(1)))
                .isInstanceOf(TrainingException.class)
                .hasMessage("2 sources cannot be used, but --tolerated allows 1: S3 (" + file
                        + ": row 4, column 1 (x) must be a finite number, got 'two'; if x holds categories, name it in"
                        + " --one-hot); S7 (" + file
                        + ": row 8, column 1 (x) is missing; use --missing median, mean or indicator to fill it)");
        assertThat(onSpark(file, plan(2)).unusable())
                .extracting(UnusableSource::name)
                .containsExactly("S3", "S7");
    }

    /** A flood of labels, categories and numbers from a few sources, where one process keeps only some of them. */
    @Test
    void aFloodFromOneSourceIsTheSame() {
        StringBuilder text = new StringBuilder(tenSources("1,red,2,S3,no", "1,red,2,S7,no"));
        for (int r = 0; r < 1500; r++) {
            text.append('\n').append(r).append(",w").append(r).append(",2,S3,").append(r % 7 == 0 ? "no" : "l" + r);
        }
        sameAsLocal(text.toString(), plan(1));
        sameAsLocal(text.toString().replace(",l", ",9"), plan(1));
        String identifiers = "x,id,from,y\n"
                + IntStream.range(0, 90)
                        .mapToObj(r -> r % 11 + "," + (r < 40 ? r + ".0" : "p" + r) + ",S" + r % 6 + "," + r / 6 % 2)
                        .collect(Collectors.joining("\n"));
        sameAsLocal(identifiers, plan(1));
        sameAsLocal(identifiers, plan(1, "keep", "id"));
        sameAsLocal(identifiers, plan(1, "drop", "id"));
        sameAsLocal(identifiers, plan(1, "one-hot", "id"));
    }

    /** Liars hold words, numbers and dates where the others hold others. */
    @Test
    void datesAndRowNumbersOfMostSourcesCount() {
        Laws.check(4, seed -> {
            Randomness random = seed.random();
            String[] wild = {"2024-02-30", "soon", "3", "2024-02-03", "NA", "1e400"};
            int[] nextOf = new int[7];
            String text = "when,id,x,from,y\n"
                    + IntStream.range(0, 420)
                            .mapToObj(r -> {
                                int source = random.nextInt(7);
                                boolean lies = source == 6 && random.nextInt(3) == 0;
                                return (lies
                                                ? wild[random.nextInt(wild.length)]
                                                : "2023-" + (10 + r % 3) + "-1" + r % 9)
                                        + "," + (lies ? wild[random.nextInt(wild.length)] : "" + nextOf[source]++)
                                        + "," + random.nextGaussian() + ",S" + source + "," + random.nextInt(2);
                            })
                            .collect(Collectors.joining("\n"));
            Plan plan = plan(
                    1,
                    "missing",
                    List.of("fail", "mean").get(random.nextInt(2)),
                    "dates",
                    List.of("number", "parts", "text").get(random.nextInt(3)));
            sameAsLocal(text, plan);
            sameAsLocal(text, plan.with("keep", "all"));
            sameAsLocal(text, plan.with("tolerated", "0"));
        });
    }

    /** Columns of Parquet have types: a number that is none, or a vector, is its source's. */
    @Test
    void typedColumnsAndVectorsOfFilesAreChargedToo() {
        List<Row> numbers = new ArrayList<>();
        List<Row> vectors = new ArrayList<>();
        Randomness random = Seed.of(4).random();
        for (int r = 0; r < 300; r++) {
            double[] x = random.gaussians(2);
            String from = "S" + r % 6;
            Double bad = r == 32 ? (Double) Double.POSITIVE_INFINITY : r == 38 ? null : (Double) x[0];
            numbers.add(RowFactory.create(bad, x[1], from, x[0] > x[1] ? 1 : 0));
            vectors.add(RowFactory.create(
                    r == 32 ? null : r % 6 == 3 ? Vectors.dense(1, 2, 3) : Vectors.dense(x),
                    from,
                    x[0] > x[1] ? "yes" : "no"));
        }
        String file = folder.resolve("numbers.parquet").toString();
        spark.createDataFrame(
                        numbers,
                        new StructType()
                                .add("a", DataTypes.DoubleType)
                                .add("b", DataTypes.DoubleType)
                                .add("from", DataTypes.StringType)
                                .add("y", DataTypes.IntegerType))
                .coalesce(1)
                .write()
                .parquet(file);
        assertThat(onSpark(file, plan(1)).unusable())
                .containsExactly(new UnusableSource(
                        "S2",
                        file + ": row 33, column 1 (a) must be a finite number, got 'Infinity'; if a holds categories,"
                                + " name it in --one-hot"));
        String ofVectors = folder.resolve("vectors.parquet").toString();
        spark.createDataFrame(
                        vectors,
                        new StructType()
                                .add("x", SQLDataTypes.VectorType())
                                .add("from", DataTypes.StringType)
                                .add("y", DataTypes.StringType))
                .coalesce(1)
                .write()
                .parquet(ofVectors);
        assertThat(onSpark(ofVectors, plan(2)).unusable())
                .containsExactly(
                        new UnusableSource("S2", ofVectors + ": row 33: column x must have a vector, got null"),
                        new UnusableSource(
                                "S3",
                                ofVectors + ": row 4: column x must have vectors of one size, got 3 elements, unlike 2"
                                        + " in most sources"));
        assertThatThrownBy(() -> onSpark(ofVectors, plan(1))).isInstanceOf(TrainingException.class);
    }

    @Test
    void theTableHasTheRowsOfOneProcess() {
        String text = tenSources("two,red,2,S3,no", "1,red,2,S7,no");
        String file = write(text);
        Plan plan = plan(1);
        Table table = DataFile.read(file, plan);
        try (SparkFile.Opened opened = new SparkFile(spark, file).read(plan)) {
            assertThat(opened.table().count()).isEqualTo(table.rows());
            assertThat(opened.table().sources()).isEqualTo(table.schema().groups());
            assertThat(opened.table().unusable())
                    .extracting(source -> asRow(source.reason()))
                    .isEqualTo(table.unusable().stream()
                            .map(source -> asRow(source.reason()))
                            .toList());
        }
    }

    @Test
    void sourcesAreLeftOutAsInOneProcess() {
        Laws.check(3, seed -> {
            Randomness random = seed.random();
            sameAsLocal(table(random, 1), plan(1, "without", "L0"));
            List<String> rows = new ArrayList<>();
            for (int r = 0; r < 200; r++) {
                rows.add(random.nextGaussian() + "," + random.nextGaussian() + ",S" + r % 6 + "," + random.nextInt(2));
            }
            rows.set(7, "x,NA,S0,odd");
            sameAsLocal("a,b,from,y\n" + String.join("\n", rows) + "\n", plan(0, "without", "S0,S3"));
        });
        assertThatThrownBy(() -> onSpark(write(table(Seed.of(1).random(), 1)), plan(1, "without", "L00")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--without: there is no source 'L00' among ")
                .hasMessageContaining("the closest: L0");
    }
}
