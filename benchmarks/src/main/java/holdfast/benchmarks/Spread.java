package holdfast.benchmarks;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.log;

import holdfast.spark.RobustLogisticRegression;
import holdfast.spark.RobustLogisticRegressionModel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.RDDInfo;

/**
 * Training on Spark compared with MLlib on the same cached rows: rounds with passes, whole fits, jobs, and what the
 * models take to answer. Also what rounds cost without rows, what they leave behind, and what long updates of many
 * workers add.
 */
final class Spread {
    private static final int COLUMNS = 200;
    private static final int WORKERS = 20;
    /** With this many partitions, MLlib sums in one stage. */
    private static final int PARTITIONS = 4;

    private static final int TURNS = 5;
    private static final int ROUNDS = 25;
    /** How many jobs run before the code is compiled and the rows are cached. */
    private static final int FIRST = 4;

    /** The rounds of the fit whose jobs are counted. */
    private static final int COUNTED = 20;

    private static final int EARLY = 500;
    private static final int LATE = 2000;

    private static final String ROUND = "holdfast round";
    private static final String PASS = "RDDLossFunction";

    private final SparkSession spark;

    private final Beats beats;
    /** Whether to look at the heap during this run. */
    private volatile boolean watched;
    /**
     * The heap after {@link #EARLY} and {@link #LATE} rounds, and the size of the rows, written by the listener's
     * thread.
     */
    private volatile long early;

    private volatile long late;
    private volatile double packed;

    private Spread(SparkSession spark) {
        this.spark = spark;
        this.beats = new Beats(spark, this::look);
    }

    /** @param bytes the size of the rows' values */
    static List<Measured> measure(long bytes) throws IOException {
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.ui.retainedJobs", 20)
                .config("spark.ui.retainedStages", 20)
                .config("spark.ui.retainedTasks", 100)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.log.level", "ERROR")
                .getOrCreate()) {
            Spread spread = new Spread(spark);
            List<Measured> out = new ArrayList<>();
            out.addAll(spread.withoutRows());
            out.addAll(spread.longUpdates());
            long count = bytes / 8 / COLUMNS;
            Dataset<Row> rows = spread.frame(count, COLUMNS, PARTITIONS).cache();
            rows.count();
            out.add(Measured.only("rows", count));
            out.addAll(spread.rounds(rows, count));
            out.addAll(spread.fitsAndAnswers(rows));
            out.addAll(spread.jobs(rows, bytes));
            return out;
        }
    }

    private List<Measured> withoutRows() {
        Dataset<Row> rows = frame(10 * WORKERS, COLUMNS, WORKERS);
        List<Measured> out = new ArrayList<>();
        beats.clear();
        learner(COLUMNS, WORKERS, 300).fit(rows);
        out.add(Measured.atMost(
                "a round without rows, 20 workers in 20 tasks, seconds", beats.seconds(ROUND, 100), 0.15));
        beats.clear();
        watched = true;
        learner(COLUMNS, WORKERS, LATE + 100).fit(frame(10 * WORKERS, COLUMNS, PARTITIONS));
        watched = false;
        out.add(Measured.only("the same in 4 tasks", beats.seconds(ROUND, 100)));
        out.add(Measured.only("heap after " + EARLY + " rounds, MB", early / 1e6));
        out.add(Measured.atMost("more of it after " + LATE + " rounds, MB", (late - early) / 1e6, 1));
        return out;
    }

    /**
     * Rounds that do little but bring updates to the driver; from 2^22 numbers on, the updates stay on the executors.
     */
    private List<Measured> longUpdates() {
        int columns = 20_000;
        List<Measured> out = new ArrayList<>();
        for (int workers : new int[] {100, 209, 210, 400}) {
            beats.clear();
            learner(columns, workers, ROUNDS).fit(frame(workers, columns, PARTITIONS));
            out.add(Measured.only(
                    "a round of " + workers + " updates of " + columns + " numbers, seconds",
                    beats.seconds(ROUND, FIRST)));
        }
        return out;
    }

    private List<Measured> rounds(Dataset<Row> rows, long count) {
        double[][] before = new double[1][];
        Turns turns = Turns.of(
                0,
                TURNS,
                () -> {
                    beats.clear();
                    learner(COLUMNS, WORKERS, ROUNDS).fit(rows);
                    before[0] = beats.before(ROUND);
                    return beats.seconds(ROUND, FIRST);
                },
                () -> {
                    beats.clear();
                    new LogisticRegression()
                            .setMaxIter(ROUNDS)
                            .setTol(0)
                            .setStandardization(false)
                            .fit(rows);
                    return beats.seconds(PASS, FIRST);
                });
        return List.of(
                Measured.only("reading and checking them, seconds", before[0][0]),
                Measured.only("dealing and packing them and the first round, seconds", before[0][1]),
                Measured.only("memory of a packed row, bytes", packed / count),
                Measured.only("a robust round, seconds", turns.seconds(0)),
                Measured.only("passes of MLlib in " + ROUNDS + " iterations of L-BFGS", beats.count(PASS)),
                Measured.only("one of them, seconds", turns.seconds(1)),
                Measured.atMost("a robust round / a pass of MLlib", turns.ratio(0, 1), 0.8));
    }

    /** Whole fits with the defaults of both sides, and what the fitted models take to answer. */
    private List<Measured> fitsAndAnswers(Dataset<Row> rows) {
        RobustLogisticRegressionModel[] ours = new RobustLogisticRegressionModel[1];
        LogisticRegressionModel[] theirs = new LogisticRegressionModel[1];
        Turns fits = Turns.of(1, TURNS, Turns.timed(() -> ours[0] = robust().fit(rows)), Turns.timed(() -> {
            beats.clear();
            theirs[0] = new LogisticRegression().fit(rows);
        }));
        int passes = beats.count(PASS);
        Turns answers = Turns.of(TURNS, () -> answer(ours[0], rows), () -> answer(theirs[0], rows));
        return List.of(
                Measured.only("a robust fit, seconds", fits.seconds(0)),
                Measured.only(
                        "its rounds" + (ours[0].summary().converged() ? "" : ", not converged"),
                        ours[0].summary().rounds()),
                Measured.only("log-loss of its model on these rows", logLoss(ours[0], rows)),
                Measured.only("MLlib's fit, seconds", fits.seconds(1)),
                Measured.only("its iterations of L-BFGS", theirs[0].summary().objectiveHistory().length - 1),
                Measured.only("its passes over the rows, without the statistics of columns", passes),
                Measured.only("log-loss of its model on these rows", logLoss(theirs[0], rows)),
                Measured.atMost("a robust fit / MLlib's fit", fits.ratio(0, 1), 1.5),
                Measured.only("transform, microseconds a row", answers.seconds(0) / rows.count() * 1e6),
                Measured.atMost("transform / MLlib's transform", answers.ratio(0, 1), 1));
    }

    private static void answer(Transformer model, Dataset<Row> rows) {
        model.transform(rows).write().format("noop").mode("overwrite").save();
    }

    private static double logLoss(Transformer model, Dataset<Row> rows) {
        Column probabilities = functions.vector_to_array(col("probability"), "float64");
        Column own = element_at(probabilities, col("label").plus(1).cast("int"));
        return model.transform(rows).agg(avg(log(own))).head().getDouble(0) * -1;
    }

    private List<Measured> jobs(Dataset<Row> rows, long bytes) {
        beats.clear();
        robust().setTol(0).setMaxIter(COUNTED).fit(rows);
        int ours = beats.jobs();
        long passes = beats.passesBefore(ROUND, bytes / 2.0);
        beats.clear();
        new LogisticRegression().setTol(0).setMaxIter(COUNTED).fit(rows);
        return List.of(
                Measured.atMost("jobs of a fit of " + COUNTED + " rounds", ours, 30),
                Measured.only("jobs of MLlib's fit of " + COUNTED + " iterations", beats.jobs()),
                Measured.atMost("passes over the rows before the first round", passes, 8),
                Measured.only("MLlib's before its first of L-BFGS", beats.passesBefore(PASS, bytes / 2.0)));
    }

    /** What a user gets who leaves learning rate, scale and tolerance alone. */
    private static RobustLogisticRegression robust() {
        return new RobustLogisticRegression()
                .setNumWorkers(WORKERS)
                .setRule("norm-screening")
                .setPrice(3);
    }

    private static RobustLogisticRegression learner(int columns, int workers, int rounds) {
        return robust().setNumWorkers(workers)
                .setScale("none")
                .setLearningRate(6.0 / columns)
                .setTol(0)
                .setMaxIter(rounds);
    }

    /** Makes the same rows every time. */
    private Dataset<Row> frame(long count, int columns, int partitions) {
        List<Integer> parts = IntStream.range(0, partitions).boxed().toList();
        JavaRDD<Row> rows = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(parts, partitions)
                .flatMap(part -> LongStream.range(count * part / partitions, count * (part + 1) / partitions)
                        .mapToObj(number -> row(number, columns))
                        .iterator());
        return spark.createDataFrame(
                rows,
                new StructType().add("features", SQLDataTypes.VectorType()).add("label", DataTypes.DoubleType));
    }

    private static Row row(long number, int columns) {
        double[] row = Samples.neighbours(number, columns);
        return RowFactory.create(Vectors.dense(Arrays.copyOf(row, columns)), row[columns]);
    }

    private void look(String job) {
        if (watched && job.equals(ROUND + " " + EARLY)) {
            early = heap();
        } else if (watched && job.equals(ROUND + " " + LATE)) {
            late = heap();
        } else if (job.equals(ROUND + " " + ROUNDS / 2)) {
            packed = Arrays.stream(spark.sparkContext().getRDDStorageInfo())
                    .filter(info -> !info.name().contains("Scan"))
                    .mapToDouble(RDDInfo::memSize)
                    .max()
                    .orElse(Double.NaN);
        }
    }

    /**
     * Returns the heap after a collection, the smallest of a few: Spark's cleaner runs after the collector, and rounds
     * go on.
     */
    private static long heap() {
        return LongStream.range(0, 8)
                .map(time -> {
                    System.gc();
                    long left = ManagementFactory.getMemoryPoolMXBeans().stream()
                            .filter(pool -> pool.getType() == MemoryType.HEAP)
                            .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                            .sum();
                    try {
                        Thread.sleep(100); // Spark's cleaner does not say when it is done.
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return left;
                })
                .min()
                .orElseThrow();
    }
}
