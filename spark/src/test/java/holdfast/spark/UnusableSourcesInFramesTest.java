package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.SparkEngine;
import holdfast.spark.engine.SparkTable;
import holdfast.testkit.Laws;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A value of a DataFrame that cannot be used is its source's, as in a file. */
class UnusableSourcesInFramesTest {
    private static final int SOURCES = 8;
    private static final Columns COLUMNS = new Columns("features", "label", "weight", "source");
    private static final Plan PLAN =
            Plan.defaults().with("workers-by", "source").with("tolerated", "2").with("rounds", "6");
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Row row(Vector features, Double label, Double weight, String source) {
        return RowFactory.create(features, label, weight, source);
    }

    /** Rows of sources in turn; those of classes are 0, 1 or 2. */
    private static List<Row> rows(Randomness random, boolean classes) {
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < 240; r++) {
            double[] x = random.gaussians(2);
            double label = classes ? x[0] > 0.5 ? 2 : x[1] > 0 ? 1 : 0 : x[0] - x[1];
            rows.add(row(Vectors.dense(x), label, 1.0 + r % 2, "s" + r % SOURCES));
        }
        return rows;
    }

    /** What can be wrong with a row, and how that is said. */
    private static Map<String, Row> wrong(boolean classes) {
        Vector x = Vectors.dense(1, 2);
        Map<String, Row> wrong = new TreeMap<>();
        wrong.put("features must have a vector, got null", row(null, 0.0, 1.0, "s2"));
        wrong.put("features must have finite numbers, got NaN at 1", row(Vectors.dense(1, Double.NaN), 0.0, 1.0, "s2"));
        wrong.put(
                "features must have finite numbers, got Infinity at 0",
                row(Vectors.sparse(2, new int[] {0}, new double[] {Double.POSITIVE_INFINITY}), 0.0, 1.0, "s2"));
        wrong.put(
                "features must have vectors of one size, got 3 elements, unlike 2 in most sources",
                row(Vectors.dense(1, 2, 3), 0.0, 1.0, "s2"));
        wrong.put("label must be a finite number, got null", row(x, null, 1.0, "s2"));
        wrong.put("label must be a finite number, got NaN", row(x, Double.NaN, 1.0, "s2"));
        wrong.put("weight must be finite and >= 0, got -2.0", row(x, 0.0, -2.0, "s2"));
        wrong.put("source must name the source of the row, got null", row(x, 0.0, 1.0, null));
        if (classes) {
            wrong.put("label must be a class 0, 1, ..., got 1.5", row(x, 1.5, 1.0, "s2"));
            wrong.put("label must have at most 1000 classes from 0, got 5000", row(x, 5000.0, 1.0, "s2"));
        }
        return wrong;
    }

    private static org.apache.spark.sql.Dataset<Row> frame(List<Row> rows, int partitions) {
        return spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions),
                new StructType()
                        .add("features", SQLDataTypes.VectorType())
                        .add("label", DataTypes.DoubleType)
                        .add("weight", DataTypes.DoubleType)
                        .add("source", DataTypes.StringType));
    }

    /** The rows of some sources, which are all right, in one process. */
    private static Dataset local(List<Row> rows, List<String> sources, List<String> classes) {
        DatasetBuilder builder = new DatasetBuilder(2);
        rows.stream()
                .filter(row -> sources.contains(row.getString(3)))
                .filter(row -> classes.isEmpty() || row.getDouble(1) < classes.size())
                .forEach(row -> builder.add(
                        row.<Vector>getAs(0).toArray(),
                        row.getDouble(1),
                        sources.indexOf(row.getString(3)),
                        row.getDouble(2)));
        return builder.build(new Schema(List.of("x0", "x1"), "label", classes, sources), DataSource.MEMORY);
    }

    private static TrainingRun onSpark(List<Row> rows, int partitions, Plan plan, List<String> classes) {
        SparkTable table = SparkTable.of(
                frame(rows, partitions), COLUMNS, classes.isEmpty() ? Target.NUMBER : Target.CLASSES, plan);
        Schema schema = new Schema(List.of("x0", "x1"), "label", classes, table.sources());
        try (PreparedRun prepared =
                new SparkEngine(table, plan, schema, DataSource.MEMORY, spark).startWorkers(spark)) {
            return Training.of(DataSource.MEMORY, plan).run(prepared);
        }
    }

    private static void sameAs(TrainingRun run, Dataset rows, Plan plan) {
        TrainingRun expected = Training.of(Table.of(ContentOrder.sorted(rows)).without(run.unusable()), plan)
                .run();
        assertThat(Laws.bits(run.model().theta()))
                .isEqualTo(Laws.bits(expected.model().theta()));
        assertThat(run.ledger()).isEqualTo(expected.ledger());
        assertThat(run.provenance()).isEqualTo(expected.provenance());
    }

    @Test
    void aWrongRowMakesItsSourceUnusable() {
        for (boolean classes : new boolean[] {true, false}) {
            List<String> names = classes ? List.of("0", "1", "2") : List.of();
            wrong(classes).forEach((reason, bad) -> {
                Randomness random = Seed.of(reason.length()).random();
                List<Row> rows = rows(random, classes);
                List<Row> all = new ArrayList<>(rows);
                int at = random.nextInt(rows.size());
                all.add(at, bad);
                String gone = bad.isNullAt(3) ? "(no source)" : "s2";
                TrainingRun run = onSpark(all, 1 + random.nextInt(4), PLAN, names);
                assertThat(run.unusable())
                        .containsExactly(new UnusableSource(gone, "row " + (at + 1) + ": column " + reason));
                List<String> usable = all.stream()
                        .map(row -> row.isNullAt(3) ? "" : row.getString(3))
                        .distinct()
                        .filter(name -> !name.equals(gone) && !name.isEmpty())
                        .toList();
                sameAs(run, local(rows, usable, names), PLAN);
            });
        }
    }

    @Test
    void moreThanToleratedStopTraining() {
        List<Row> rows = rows(Seed.of(1).random(), true);
        for (String source : List.of("s1", "s4", "s5")) {
            rows.add(row(Vectors.dense(1, Double.NaN), 0.0, 1.0, source));
        }
        assertThatThrownBy(() -> onSpark(rows, 3, PLAN, List.of("0", "1", "2")))
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith(
                        "3 sources cannot be used, but --tolerated allows 2: s1 (row 241: column features"
                                + " must have finite numbers, got NaN at 1); s4 (row 242: ");
        assertThat(onSpark(rows, 3, PLAN.with("tolerated", "3"), List.of("0", "1", "2"))
                        .unusable())
                .hasSize(3);
    }

    /** The first rows of a source may be left out, but its worker keeps its place. */
    @Test
    void aClassOfFewSourcesIsNoClass() {
        List<Row> rows = new ArrayList<>();
        rows.add(row(Vectors.dense(9, 9), 7.0, 1.0, "s5"));
        rows.add(row(Vectors.dense(9, 9), 7.0, 1.0, "s3"));
        rows.addAll(rows(Seed.of(2).random(), true));
        // Every other source writes class 0 as -0.
        rows.replaceAll(row -> row.getDouble(1) == 0 && row.getDouble(2) == 1
                ? row(row.getAs(0), -0.0, row.getDouble(2), row.getString(3))
                : row);
        List<String> names = List.of("0", "1", "2");
        List<String> sources = new ArrayList<>(List.of("s5", "s3"));
        IntStream.range(0, SOURCES)
                .filter(s -> s != 5 && s != 3)
                .mapToObj(s -> "s" + s)
                .forEach(sources::add);
        for (String share : List.of("0", "0.25")) {
            Plan plan = PLAN.with("test-share", share);
            TrainingRun run = onSpark(rows, 3, plan, names);
            assertThat(run.unusable()).isEmpty();
            sameAs(run, local(rows, sources, names), plan);
        }
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(3)
                .setWorkerCol("source")
                .setTolerated(2)
                .fit(frame(rows, 2));
        assertThat(model.numClasses()).isEqualTo(3);
    }
}
