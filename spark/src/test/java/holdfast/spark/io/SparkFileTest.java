package holdfast.spark.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.model.Target;
import holdfast.plan.Header;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.preparation.Split;
import holdfast.spark.Sparks;
import holdfast.spark.engine.SparkEngine;
import holdfast.testkit.Laws;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static Plan plan(String... settings) {
        Plan plan = Plan.defaults().with("rounds", "5").with("workers", "4").with("learning-rate", "0.3");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return plan;
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static SparkEngine engine(SparkFile.Opened learnt, Plan plan) {
        return new SparkEngine(learnt.table(), plan, learnt.schema(), learnt.source(), spark);
    }

    private static void trainsAlike(String file, String locally, Plan plan) {
        holdfast.data.Table data = DataFile.read(locally, plan);
        TrainingRun expected = Training.of(data, plan).run();
        try (SparkFile.Opened learnt = new SparkFile(spark, file).read(plan)) {
            assertThat(learnt.schema().features()).isEqualTo(data.schema().features());
            if (file.equals(locally)) {
                assertThat(learnt.source()).isEqualTo(data.source());
            }
            SparkEngine engine = engine(learnt, plan);
            assertThat(engine.encoding()).isEqualTo(expected.model().encoding());
            assertThat(engine.features().withoutGroups())
                    .isEqualTo(expected.model().schema());
            try (PreparedRun prepared = engine.startWorkers(spark)) {
                TrainingRun run = Training.of(learnt.source(), plan).run(prepared);
                assertThat(Laws.bits(run.model().theta()))
                        .isEqualTo(Laws.bits(expected.model().theta()));
                assertThat(run.model().encoding()).isEqualTo(expected.model().encoding());
                assertThat(run.model().schema()).isEqualTo(expected.model().schema());
                assertThat(prepared.names())
                        .isEqualTo(
                                expected.ledger().stream().map(l -> l.worker()).toList());
            }
            Dataset again = new SparkFile(spark, file)
                    .read(
                            learnt,
                            engine.features(),
                            engine.encoding(),
                            plan.model(learnt.schema()).target(),
                            Header.AUTO);
            assertThat(again.rows()).isEqualTo(data.rows());
            Dataset features = expected.model().features(data);
            for (int r = 0; r < data.rows(); r += 97) {
                assertThat(again.row(r)).containsExactly(features.row(r));
                assertThat(again.label(r)).isEqualTo(data.cells().label(r));
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
    @CsvSource({"comma, false, two", "comma, true, classes", "semicolon, true, number", "tab, false, number"})
    void tablesAreReadAlike(String separator, boolean text, String label) throws IOException {
        char sign = separator.equals("comma") ? ',' : separator.equals("tab") ? '\t' : ';';
        String file = write("table.csv", table(1100, sign, true, text, label));
        trainsAlike(file, file, plan("workers-by", "site", "weights-by", "w"));
        trainsAlike(file, file, plan("one-hot", "site,region", "partition", "in-turn", "test-share", "0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void aRowOfWeightZeroIsNotThere(String tolerated) throws IOException {
        Plan plan = plan("workers-by", "site", "weights-by", "w", "tolerated", tolerated);
        String whole = table(600, ',', true, true, "two");
        String[] lines = whole.split("\n");
        for (int r = 1; r < lines.length; r += 9) {
            lines[r] = "wild,?,north,0," + (r % 2 == 0 ? "" : "nowhere") + ",?\n" + lines[r];
        }
        double[] expected = Training.of(DataFile.read(write("whole.csv", whole), plan), plan)
                .run()
                .model()
                .theta();
        String file = write("zeros.csv", String.join("\n", lines) + "\n");
        assertThat(Laws.bits(Training.of(DataFile.read(file, plan), plan)
                        .run()
                        .model()
                        .theta()))
                .isEqualTo(Laws.bits(expected));
        try (SparkFile.Opened learnt = new SparkFile(spark, file).read(plan);
                PreparedRun prepared = engine(learnt, plan).startWorkers(spark)) {
            assertThat(Laws.bits(Training.of(learnt.source(), plan)
                            .run(prepared)
                            .model()
                            .theta()))
                    .isEqualTo(Laws.bits(expected));
        }
    }

    /** Cells are missing in columns of numbers and of words, in the first rows too. */
    @ParameterizedTest
    @CsvSource({"mean, 4, 0.3", "indicator, 4, 0", "mean, 400, 0.2", "indicator, 400, 0.2"})
    void missingCellsAreFilledAsInOneProcess(String missing, int words, String testShare) throws IOException {
        Randomness random = Seed.of(8).child("holes", words).random();
        StringBuilder out = new StringBuilder("a,word,b,site,y\n");
        for (int r = 0; r < 2500; r++) {
            double[] x = random.gaussians(2);
            out.append(r < 3 || r % 11 == 0 ? "NA" : Double.toString(1e3 * x[0]))
                    .append(r < 2 || r % 7 == 3 ? ",?" : ",v" + random.nextInt(words))
                    .append(r % 5 == 0 ? ",," : "," + x[1] + ",")
                    .append("s" + r % 4)
                    .append(x[0] > x[1] ? ",yes\n" : ",no\n");
        }
        String file = write("holes.csv", out.toString());
        Plan plan = plan("missing", missing, "test-share", testShare, "workers-by", "site");
        trainsAlike(file, file, plan);
        assertThat(DataFile.read(file, plan).isMissing(0, 1)).isTrue();
    }

    @Test
    void aColumnWithoutACellIsRefused() throws IOException {
        String file = write("t.csv", "a,b,y\n1,,0\n2,NA,1\n3,?,1\n");
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan("missing", "mean")))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": column b is missing in every row");
    }

    /** The rows held out have words of their own, and others than before: the model knows neither. */
    @ParameterizedTest
    @CsvSource({"3, 200, false", "300, 2500, true"})
    void categoriesComeFromTrainingRows(int words, int rows, boolean sparse) {
        Laws.check(3, seed -> {
            Plan plan = plan("seed", "" + seed.random().nextInt(1000), "test-share", "0.4");
            Randomness random = seed.child("table").random();
            String[][] cells = new String[rows][];
            for (int r = 0; r < rows; r++) {
                cells[r] = new String[] {
                    "" + random.nextGaussian(), "w" + random.nextInt(words), random.nextInt(2) == 0 ? "a" : "b"
                };
            }
            String file = file(cells);
            holdfast.data.Table data = DataFile.read(file, plan);
            int[] heldOut = Split.stratified(data.cells(), 0.4, plan.seed()).heldOut();
            for (int r : heldOut) {
                cells[r][0] = "" + 1e6 * random.nextGaussian();
                cells[r][1] = List.of("w1", "new", "a new one").get(random.nextInt(3));
            }
            TrainingRun expected = Training.of(data, plan).run();
            TrainingRun changed =
                    Training.of(DataFile.read(file(cells), plan), plan).run();
            try (SparkFile.Opened learnt = new SparkFile(spark, file).read(plan)) {
                SparkEngine engine = engine(learnt, plan);
                assertThat(engine.features()).isEqualTo(expected.model().schema());
                assertThat(engine.encoding().sparse()).isEqualTo(sparse);
                try (PreparedRun prepared = engine.startWorkers(spark)) {
                    TrainingRun run = Training.of(learnt.source(), plan).run(prepared);
                    assertThat(Laws.bits(run.model().theta()))
                            .isEqualTo(Laws.bits(expected.model().theta()));
                    for (int r = 0; r < heldOut.length; r++) {
                        assertThat(run.heldOut().orElseThrow().row(r))
                                .containsExactly(changed.heldOut().orElseThrow().row(r));
                    }
                }
            }
            assertNothingIsKept();
        });
    }

    private String file(String[][] cells) {
        try {
            return write(
                    "cells.csv",
                    Arrays.stream(cells)
                            .map(row -> String.join(",", row))
                            .collect(Collectors.joining("\n", "x,word,y\n", "\n")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    private void writeParquet(String name, StructType schema, Row... rows) {
        spark.createDataFrame(List.of(rows), schema)
                .coalesce(1)
                .write()
                .parquet(folder.resolve(name).toString());
    }

    private static final StructType VECTORS =
            new StructType().add("y", DataTypes.StringType).add("v", SQLDataTypes.VectorType());

    private void writeVectors(String name, Vector... vectors) {
        writeParquet(
                name,
                VECTORS,
                IntStream.range(0, vectors.length)
                        .mapToObj(r -> RowFactory.create(r % 2 == 0 ? "a" : "b", vectors[r]))
                        .toArray(Row[]::new));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aColumnOfVectorsIsReadLikeTheirNumbers(boolean sparse) throws IOException {
        Randomness random = Seed.of(3).random();
        StringBuilder csv = new StringBuilder("1,2,3,y\n");
        Vector[] vectors = new Vector[600];
        for (int r = 0; r < vectors.length; r++) {
            double[] x = random.gaussians(3);
            csv.append(x[0] + "," + x[1] + "," + x[2] + "," + (r % 2 == 0 ? "a" : "b") + "\n");
            vectors[r] = sparse ? Vectors.dense(x).toSparse() : Vectors.dense(x);
        }
        writeVectors("vectors.parquet", vectors);
        trainsAlike(
                folder.resolve("vectors.parquet").toString(),
                write("table.csv", csv.toString()),
                plan("label", "y", "header", "yes"));
    }

    static Stream<Arguments> wrongVectors() {
        return Stream.of(
                Arguments.of(
                        null,
                        "row 2: column v must have a vector, got null",
                        "row 2, column 2 (v) must be a vector of 2 finite numbers, got null"),
                Arguments.of(
                        Vectors.dense(1, Double.NaN),
                        "row 2: column v must have finite numbers, got NaN at 1",
                        "row 2, column 2 (v) must be a vector of 2 finite numbers, got NaN"),
                Arguments.of(
                        Vectors.dense(1, 2, 3),
                        "row 2: column v must have vectors of one size, got 3 elements after 2",
                        "row 2, column 2 (v) must be a vector of 2 finite numbers, got 3 of them"),
                Arguments.of(
                        Vectors.dense(new double[] {1}),
                        "row 2: column v must have vectors of one size, got 1 elements after 2",
                        "row 2, column 2 (v) must be a vector of 2 finite numbers, got 1 of them"));
    }

    @ParameterizedTest
    @MethodSource
    void wrongVectors(Vector wrong, String training, String testing) {
        String right = folder.resolve("right.parquet").toString();
        String file = folder.resolve("wrong.parquet").toString();
        writeVectors("right.parquet", Vectors.dense(1, 2), Vectors.dense(2, 1));
        writeVectors("wrong.parquet", Vectors.dense(1, 2), wrong, Vectors.dense(1, 4));
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan("label", "y")))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": " + training);
        assertNothingIsKept();
        try (SparkFile.Opened learnt = new SparkFile(spark, right).read(plan("label", "y"))) {
            assertThatThrownBy(() -> new SparkFile(spark, file)
                            .read(learnt, learnt.schema(), Encoding.NONE, Target.TWO_CLASSES, Header.AUTO))
                    .isInstanceOf(InputException.class)
                    .hasMessage(file + ": " + testing);
        }
    }

    @Test
    void otherThingsThanVectors() throws IOException {
        String right = folder.resolve("right.parquet").toString();
        writeVectors("right.parquet", Vectors.dense(1, 2), Vectors.dense(2, 1));
        String csv = write("t.csv", "v,y\n1.5,a\n2,b\n");
        try (SparkFile.Opened learnt = new SparkFile(spark, right).read(plan("label", "y"))) {
            assertThatThrownBy(() -> new SparkFile(spark, csv)
                            .read(learnt, learnt.schema(), Encoding.NONE, Target.TWO_CLASSES, Header.AUTO))
                    .hasMessage(csv + ": row 1, column 1 (v) must be a vector of 2 finite numbers, got '1.5'");
        }
        writeVectors("none.parquet", null, null);
        String none = folder.resolve("none.parquet").toString();
        assertThatThrownBy(() -> new SparkFile(spark, none).read(plan("label", "y")))
                .hasMessage(none + ": there must be a vector of numbers in column v in some row");
    }

    private static void assertNothingIsKept() {
        assertThat(JavaSparkContext.fromSparkContext(spark.sparkContext()).getPersistentRDDs())
                .isEmpty();
    }

    /** A double has 53 bits. */
    @Test
    void namesThatAreNumbersAreExact() {
        long large = 1L << 53;
        writeParquet(
                "ids.parquet",
                new StructType()
                        .add("x", DataTypes.FloatType)
                        .add("id", DataTypes.LongType)
                        .add("site", DataTypes.createDecimalType(38, 2))
                        .add("y", DataTypes.ByteType),
                RowFactory.create(0.5f, large, new BigDecimal("9007199254740992.00"), (byte) 0),
                RowFactory.create(0.25f, large + 1, new BigDecimal("9007199254740993.00"), (byte) 1),
                RowFactory.create(2f, large + 1, new BigDecimal("1200.50"), (byte) 1));
        Plan plan = plan("workers-by", "site", "one-hot", "id", "test-share", "0");
        try (SparkFile.Opened learnt =
                new SparkFile(spark, folder.resolve("ids.parquet").toString()).read(plan)) {
            assertThat(engine(learnt, plan).features().features())
                    .containsExactly("x", "id=" + large, "id=" + (large + 1));
            assertThat(learnt.schema().classes()).containsExactly("0", "1");
            assertThat(learnt.table().sources()).containsExactly("9007199254740992", "9007199254740993", "1200.5");
        }
    }

    @Test
    void aFolderOfPartitionsIsParquetAndItsNamesAreColumns() throws IOException {
        String csv = write("table.csv", table(900, ',', true, true, "two"));
        Path years = folder.resolve("years");
        spark.read()
                .option("header", true)
                .option("inferSchema", true)
                .csv(csv)
                .withColumn("year", functions.expr("if(age > 0, 2020, 2021)"))
                .coalesce(1)
                .write()
                .partitionBy("year")
                .parquet(years.toString());
        try (SparkFile.Opened learnt = new SparkFile(spark, years.toString()).read(plan("label", "y"))) {
            assertThat(learnt.table().count()).isEqualTo(900);
            assertThat(learnt.schema().features()).containsExactly("age", "Power", "region", "w", "site", "year");
            String before = learnt.source().sha256();
            // Rows of other years are other rows, though the names and bytes of files are the same.
            Files.move(years.resolve("year=2020"), years.resolve("year=1999"));
            try (SparkFile.Opened moved = new SparkFile(spark, years.toString()).read(plan("label", "y"))) {
                assertThat(moved.source().sha256()).isNotEqualTo(before);
            }
        }
    }

    @Test
    void severalFilesAreOneTableKnownByTheirSums() throws IOException, NoSuchAlgorithmException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        String[] lines = table(900, ',', true, true, "two").split("\n");
        StringBuilder list = new StringBuilder();
        for (int part = 0; part < 3; part++) {
            String text = lines[0] + "\n"
                    + String.join("\n", Arrays.asList(lines).subList(1 + 300 * part, 301 + 300 * part)) + "\n";
            Files.writeString(parts.resolve("part-" + part + ".csv"), text);
        }
        for (int part = 0; part < 3; part++) {
            byte[] bytes = Files.readAllBytes(parts.resolve("part-" + part + ".csv"));
            list.append(sha256(bytes)).append("  part-").append(part).append(".csv\n");
        }
        String sum = sha256(list.toString()
                .lines()
                .sorted()
                .map(l -> l + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8));
        for (String name : List.of(parts.toString(), parts + "/part-*.csv")) {
            try (SparkFile.Opened learnt = new SparkFile(spark, name).read(plan("label", "y"))) {
                assertThat(learnt.table().count()).isEqualTo(900);
                assertThat(learnt.schema().classes()).containsExactly("0", "1");
                assertThat(learnt.source()).isEqualTo(new DataSource(name, sum));
            }
        }
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    /** Neither ending nor first line shows how this file is written. */
    @Test
    void theFormatOfTheTableIsThatOfMoreRows() throws IOException {
        writeVectors("right.parquet", Vectors.dense(1, 2), Vectors.dense(2, 1));
        Path plain = folder.resolve("plain");
        try (Stream<Path> files = Files.list(folder.resolve("right.parquet"))) {
            Files.copy(
                    files.filter(f -> f.toString().endsWith(".parquet"))
                            .findFirst()
                            .orElseThrow(),
                    plain);
        }
        Plan parquet = plan("label", "y", "format", "parquet");
        try (SparkFile.Opened learnt = new SparkFile(spark, plain.toString()).read(parquet)) {
            assertThat(new SparkFile(spark, plain.toString())
                            .read(learnt, learnt.schema(), Encoding.NONE, Target.TWO_CLASSES, Header.AUTO)
                            .row(1))
                    .containsExactly(2, 1);
        }
        String csv = write("t.csv", "a b,y\n1:2,0\n1:3,1\n");
        String odd = write("odd.csv", "0 1:2,0\n0 1:2,1\n");
        Plan plan = plan("format", "csv", "one-hot", "1", "header", "no");
        assertThatThrownBy(() -> new SparkFile(spark, csv).read(plan("format", "libsvm")))
                .hasMessageStartingWith(csv + ": row 1: must be index:value");
        try (SparkFile.Opened learnt = new SparkFile(spark, odd).read(plan)) {
            SparkEngine engine = engine(learnt, plan.with("test-share", "0").with("workers", "1"));
            assertThat(new SparkFile(spark, odd)
                            .read(learnt, engine.features(), engine.encoding(), Target.TWO_CLASSES, Header.NO)
                            .rows())
                    .isEqualTo(2);
        }
        String svm = write("rows.svm", "1 1:2\n0 1:3\n");
        try (SparkFile.Opened learnt = new SparkFile(spark, svm).read(plan())) {
            String right = folder.resolve("right.parquet").toString();
            assertThatThrownBy(() -> new SparkFile(spark, right)
                            .read(learnt, learnt.schema(), Encoding.NONE, Target.TWO_CLASSES, Header.AUTO))
                    .hasMessage(
                            right
                                    + ": the model's features have numbers (1, ...), as libsvm data have, which parquet has not");
        }
    }

    @Test
    void whatSparkCannotReadIsNamed() throws IOException {
        String text = write("text.parquet", "a,b,y\n1,2,0\n");
        assertThatThrownBy(() -> new SparkFile(spark, text).read(plan()))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(text + ": cannot be read: ")
                .hasMessageContaining("is not a Parquet file")
                .hasMessageNotContaining("\n");
        writeVectors("right.parquet", Vectors.dense(1, 2), Vectors.dense(2, 1));
        Path right = folder.resolve("right.parquet");
        Path corrupt = folder.resolve("corrupt.parquet");
        try (Stream<Path> files = Files.list(right)) {
            byte[] bytes = Files.readAllBytes(files.filter(f -> f.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow());
            Arrays.fill(bytes, 4, 60, (byte) 0x55);
            Files.write(corrupt, bytes);
        }
        assertThatThrownBy(() -> new SparkFile(spark, corrupt.toString()).read(plan("label", "y")))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(corrupt + ": cannot be read: ")
                .hasMessageNotContaining("\n");
        try (SparkFile.Opened learnt = new SparkFile(spark, right.toString()).read(plan("label", "y"))) {
            assertThatThrownBy(() -> new SparkFile(spark, text)
                            .read(learnt, learnt.schema(), Encoding.NONE, Target.TWO_CLASSES, Header.AUTO))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith(text + ": cannot be read: ");
        }
        assertNothingIsKept();
    }

    @Test
    void anInterruptionIsNoFaultOfTheFile() throws IOException {
        String csv = write("t.csv", "a,b,y\n1,2,0\n2,1,1\n");
        Thread.currentThread().interrupt();
        Throwable thrown = catchThrowable(() -> new SparkFile(spark, csv).read(plan()));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown).isInstanceOf(CancellationException.class);
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
                "a,b,y;1,2,0;1,,1;3,4,0| |: row 2, column 2 (b) is missing; use --missing median, mean or indicator to fill it",
                "a,b,y;1,2,0;1,x,1| |: row 2, column 2 (b) must be a finite number, got 'x'; if b holds categories, name it in --one-hot",
                "a,b,y;1,2,0;1,1| |: row 2: must have 3 cells like the first line",
                "a,b,y;1,2,0;1,1,1,1| |: row 2: must have 3 cells like the first line",
                "a,b,y;1,2,0;1,2,| |: row 2, column 3 (y) must be a label, got an empty cell",
                "a,b,y;1,2,7;1,2,7| |: there must be rows of different labels, but every y is 7",
                "a,b,y;1,2,0;1,2,1|label=z|: --label 'z' is not a column; there are a, b, y",
                "a,b,y;1,2,0;1,-2,1|weights-by=b|: row 2, column 2 (b) must be a weight, a number >= 0, got '-2'",
                "a,b,y;1,2,0;1,,1|workers-by=b|: row 2, column 2 (b) must name a source, got an empty cell",
                "a,b,y;1,2,0;1,2,x|model=linear|: row 2, column 3 (y) must be a number, got 'x'",
                "a,b,y| |: no data rows",
                "1 1:2;0 2:3 2:4| |: row 2: indices must ascend, got '2:4' after 2",
                "1 1:2;3:4| |: row 2: must begin with a label, got '3:4'",
                "1 1:2;0 1:3|label=y|: --label names a column, and libsvm data have none; got 'y'"
            })
    void mistakesAreNamed(String lines, String setting, String message) throws IOException {
        String file = write("wrong.csv", lines.replace(';', '\n') + "\n");
        Plan plan = setting == null ? plan() : plan(setting.split("="));
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
        String other = write("u.csv", "y,b,a\n0,x,1\n1,w,5\n");
        try (SparkFile.Opened learnt = new SparkFile(spark, file).read(plan())) {
            SparkEngine engine = engine(learnt, plan("test-share", "0", "workers", "1"));
            assertThat(new SparkFile(spark, other)
                            .read(learnt, engine.features(), engine.encoding(), Target.TWO_CLASSES, Header.AUTO)
                            .row(1))
                    .as("the word w is new")
                    .containsExactly(5, 0, 0);
        }
    }
}
