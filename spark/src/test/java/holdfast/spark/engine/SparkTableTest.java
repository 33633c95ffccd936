package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.Seed;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.spark.Sparks;
import holdfast.testkit.Samples;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the first look at a DataFrame costs, decides and survives. */
class SparkTableTest {
    private static final Columns COLUMNS = new Columns("features", "label", null, null);
    /** Tasks of a local master find these here. */
    private static final AtomicInteger READ = new AtomicInteger();

    private static final CountDownLatch WAITING = new CountDownLatch(1);
    private static final CountDownLatch OVER = new CountDownLatch(1);
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static SparkTable table(Dataset<Row> frame) {
        return SparkTable.of(frame, COLUMNS, Target.NUMBER, Plan.defaults());
    }

    private static Dataset<Row> frame() {
        return Sparks.frame(spark, Samples.dataset(Seed.of(1), 50, 2), 2);
    }

    @Test
    void rowsAreReadOnceToBePutInOrder() {
        FilterFunction<Row> counted = row -> READ.incrementAndGet() > 0;
        assertThat(table(frame().filter(counted)).count()).isEqualTo(50);
        assertThat(READ).hasValue(50);
    }

    @Test
    void manyColumnsAreSparseIfAtMostAQuarterOfTheirValuesIsStored() {
        assertThat(table(sparse(260, 65)).sparse()).isTrue();
        assertThat(table(sparse(260, 66)).sparse()).isFalse();
        assertThat(table(sparse(256, 1)).sparse()).isFalse();
    }

    private static Dataset<Row> sparse(int columns, int stored) {
        int[] at = IntStream.range(0, stored).toArray();
        double[] ones = IntStream.range(0, stored).mapToDouble(i -> 1).toArray();
        return spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(
                                IntStream.range(0, 2)
                                        .mapToObj(r -> RowFactory.create(Vectors.sparse(columns, at, ones), (double) r))
                                        .toList(),
                                1),
                new StructType().add("features", SQLDataTypes.VectorType()).add("label", DataTypes.DoubleType));
    }

    /** Spark moves them before there is a job of ours. */
    @Test
    void aFitThatIsInterruptedWhileItsRowsAreShuffledIsCancelled() throws InterruptedException {
        FilterFunction<Row> waits = row -> {
            WAITING.countDown();
            OVER.await();
            return true;
        };
        Dataset<Row> shuffled = frame().filter(waits).repartition(3);
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(() -> thrown[0] = catchThrowable(() -> table(shuffled)));
        thread.start();
        try {
            assertThat(WAITING.await(30, TimeUnit.SECONDS)).isTrue();
            thread.interrupt();
            thread.join(30_000);
        } finally {
            OVER.countDown();
        }
        assertThat(thrown[0]).isInstanceOf(CancellationException.class).hasMessage("interrupted in look at the rows");
    }
}
