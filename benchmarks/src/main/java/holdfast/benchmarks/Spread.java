package holdfast.benchmarks;

import holdfast.spark.RobustLogisticRegression;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.RDDInfo;

/**
 * Rounds on Spark: compared with MLlib's passes over the same cached rows, what they cost without rows, what they leave
 * behind, and what long updates of many workers add.
 */
final class Spread {
    private static final int COLUMNS = 200;
    private static final int WORKERS = 20;
    /** With this many partitions, MLlib sums in one stage. */
    private static final int PARTITIONS = 4;

    private static final int TURNS = 2;
    private static final int ROUNDS = 25;
    /** How many jobs run before the code is compiled and the rows are cached. */
    private static final int FIRST = 4;

    private static final int EARLY = 500;
    private static final int LATE = 2000;

    private static final String ROUND = "holdfast round";
    private static final String PASS = "RDDLossFunction";

    private final SparkSession spark;

    private final Beats beats;
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
    static List<Measured> measure(long bytes) throws IOException, InterruptedException {
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
            out.addAll(spread.againstMllib(bytes / 8 / COLUMNS));
            return out;
        }
    }

    private List<Measured> withoutRows() throws InterruptedException {
        Dataset<Row> rows = frame(10 * WORKERS, COLUMNS, WORKERS);
        List<Measured> out = new ArrayList<>();
        beats.clear();
        learner(COLUMNS, WORKERS, 300).fit(rows);
        out.add(Measured.atMost(
                "a round without rows, 20 workers in 20 tasks, seconds", beats.seconds(ROUND, 100), 0.15));
        beats.clear();
        learner(COLUMNS, WORKERS, LATE + 100).fit(frame(10 * WORKERS, COLUMNS, PARTITIONS));
        out.add(Measured.only("the same in 4 tasks", beats.seconds(ROUND, 100)));
        out.add(Measured.only("heap after " + EARLY + " rounds, MB", early / 1e6));
        out.add(Measured.atMost("more of it after " + LATE + " rounds, MB", (late - early) / 1e6, 1));
        return out;
    }

    /**
     * Rounds that do little but bring updates to the driver; from 2^22 numbers on, the updates stay on the executors.
     */
    private List<Measured> longUpdates() throws InterruptedException {
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

    private List<Measured> againstMllib(long count) throws InterruptedException {
        Dataset<Row> rows = frame(count, COLUMNS, PARTITIONS).cache();
        rows.count();
        double[] ours = new double[TURNS];
        double[] theirs = new double[TURNS];
        double[] before = null;
        int passes = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            beats.clear();
            learner(COLUMNS, WORKERS, ROUNDS).fit(rows);
            ours[turn] = beats.seconds(ROUND, FIRST);
            before = beats.before(ROUND);
            beats.clear();
            new LogisticRegression()
                    .setMaxIter(ROUNDS)
                    .setTol(0)
                    .setStandardization(false)
                    .fit(rows);
            theirs[turn] = beats.seconds(PASS, FIRST);
            passes = beats.count(PASS);
        }
        double own = Arrays.stream(ours).average().orElseThrow();
        double other = Arrays.stream(theirs).average().orElseThrow();
        return List.of(
                Measured.only("rows", count),
                Measured.only("reading and checking them, seconds", before[0]),
                Measured.only("dealing and packing them and the first round, seconds", before[1]),
                Measured.only("memory of a packed row, bytes", packed / count),
                Measured.only("a robust round, seconds", own),
                Measured.only("passes of MLlib in " + ROUNDS + " iterations of L-BFGS", passes),
                Measured.only("one of them, seconds", other),
                Measured.atMost("a robust round / a pass of MLlib", own / other, 1.2));
    }

    private static RobustLogisticRegression learner(int columns, int workers, int rounds) {
        return new RobustLogisticRegression()
                .setNumWorkers(workers)
                .setRule("norm-screening")
                .setPrice(3)
                .setScale("none")
                .setLearningRate(6.0 / columns)
                .setTol(0)
                .setMaxIter(rounds);
    }

    /**
     * Makes two classes, the sign of a noisy linear function of features that resemble their neighbours, so that L-BFGS
     * has something to do. Makes the same rows every time.
     */
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
        SplittableRandom random = new SplittableRandom(number);
        double[] x = new double[columns];
        double u = Math.sqrt(columns) * random.nextGaussian();
        for (int i = 0; i < columns; i++) {
            x[i] = random.nextGaussian() + (i == 0 ? 0 : 0.9 * x[i - 1]);
            u += i % 2 == 0 ? x[i] : -x[i];
        }
        return RowFactory.create(Vectors.dense(x), u > 0 ? 1.0 : 0.0);
    }

    private void look(String job) {
        if (job.equals(ROUND + " " + EARLY)) {
            early = heap();
        } else if (job.equals(ROUND + " " + LATE)) {
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
