package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Rounds leave nothing behind, on the driver or where the rows are. */
class LongRunIT {
    private static final int ROUNDS = 2000;
    private static final long NOISE = 1_000_000;

    /** @param blocks of broadcast variables, those of Spark's own among them */
    private record Kept(long heap, int blocks, int rdds) {}

    @Test
    void memoryDoesNotGrowWithRounds() throws IOException {
        Dataset data = Samples.dataset(Seed.of(31), 400, 4);
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.WORKERS, 4)
                .with(PlanKey.TOLERANCE, 0.0)
                .with(PlanKey.ROUNDS, ROUNDS);
        Map<Integer, Kept> kept = new LinkedHashMap<>();
        try (SparkSession spark = Sparks.session("local[2]")
                .config("spark.ui.retainedJobs", 20)
                .config("spark.ui.retainedStages", 20)
                .config("spark.ui.retainedTasks", 100)
                .getOrCreate()) {
            try (PreparedRun prepared = Sparks.prepare(spark, data, plan, 2)) {
                Training.of(data.source(), plan)
                        .listener(round -> {
                            int done = round.round() + 1;
                            if (done == ROUNDS / 4 || done == ROUNDS) {
                                kept.put(done, kept(spark));
                            }
                        })
                        .run(prepared);
            }
            Kept early = kept.get(ROUNDS / 4);
            Kept late = kept.get(ROUNDS);
            assertThat(late.rdds).isEqualTo(1).isEqualTo(early.rdds);
            assertThat(late.blocks).as("%s", kept).isLessThanOrEqualTo(early.blocks + 4);
            assertThat(late.heap - early.heap).as("%s", kept).isLessThan(NOISE);
            assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
        }
    }

    /** When the collector, and Spark's cleaner after it, have done their work: the least of a few looks. */
    private static Kept kept(SparkSession spark) {
        Kept least = null;
        for (int look = 0; look < 8; look++) {
            System.gc();
            try {
                Thread.sleep(150);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Kept now = new Kept(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                    SparkEnv.get()
                            .blockManager()
                            .getMatchingBlockIds(id -> id.isBroadcast())
                            .size(),
                    spark.sparkContext().getPersistentRDDs().size());
            least = least == null
                    ? now
                    : new Kept(Math.min(now.heap, least.heap), Math.min(now.blocks, least.blocks), now.rdds);
        }
        return least;
    }
}
