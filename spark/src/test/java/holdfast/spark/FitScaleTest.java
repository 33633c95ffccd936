package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.Dataset;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.SparkEngine;
import holdfast.spark.engine.SparkTable;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a fit costs in jobs, and that it bears many sources. */
class FitScaleTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static List<String> jobsOf(Runnable work) throws Exception {
        List<String> jobs = new CopyOnWriteArrayList<>();
        SparkListener listener = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart job) {
                jobs.add(job.properties().getProperty("spark.job.description", ""));
            }
        };
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().addSparkListener(listener);
        try {
            work.run();
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(listener);
        }
        return jobs;
    }

    @Test
    void twentyRoundsTakeAtMostThirtyJobsAndEightOfThemComeBefore() throws Exception {
        Dataset data = Samples.dataset(Seed.of(8), 1200, 4)
                .reweigh(r -> 1 + r % 3)
                .grouped(
                        List.of("b", "a", "c"),
                        IntStream.range(0, 1200).map(r -> r % 3).toArray());
        RobustLogisticRegression learner =
                new RobustLogisticRegression().setMaxIter(20).setTol(0);
        for (RobustLogisticRegression one : List.of(
                learner.copy(new org.apache.spark.ml.param.ParamMap()).setNumWorkers(5),
                learner.copy(new org.apache.spark.ml.param.ParamMap())
                        .setNumWorkers(5)
                        .setWeightCol("weight"),
                learner.copy(new org.apache.spark.ml.param.ParamMap())
                        .setWorkerCol("source")
                        .setPlan("class-weights: balanced"))) {
            List<String> jobs = jobsOf(() -> one.fit(Sparks.frame(spark, data, 3)));
            assertThat(jobs.indexOf("holdfast round 0")).as("%s", jobs).isBetween(1, 8);
            List<String> others = jobs.stream()
                    // Three sources have no verdicts.
                    .filter(job -> !job.startsWith("holdfast"))
                    .toList();
            assertThat(others).isEmpty();
            assertThat(jobs).hasSizeLessThanOrEqualTo(30);
        }
    }

    /** The tests have a heap of 1 GB for driver and executors together. */
    @Test
    void oneHundredThousandSourcesTrainToTheSameBits() {
        int sources = 100_000;
        Dataset data = Samples.dataset(Seed.of(9), 2 * sources, 3)
                .withoutGroups()
                .grouped(
                        IntStream.range(0, sources).mapToObj(s -> "source " + s).toList(),
                        IntStream.range(0, 2 * sources).map(r -> r % sources).toArray());
        Plan plan = Plan.defaults()
                .with("workers-by", "source")
                .with(PlanKey.TEST_SHARE, 0.0)
                .with("tolerated", "100")
                .with(PlanKey.ROUNDS, 3);
        TrainingRun expected = Training.of(ContentOrder.sorted(data), plan).run();
        SparkTable table = SparkTable.of(
                Sparks.frame(spark, data, 40), new Columns("features", "label", null, "source"), Target.CLASSES, plan);
        try (PreparedRun prepared =
                new SparkEngine(table, plan, data.schema(), data.source(), spark).startWorkers(spark)) {
            TrainingRun run = Training.of(data.source(), plan).run(prepared);
            assertThat(Laws.bits(run.model().theta()))
                    .isEqualTo(Laws.bits(expected.model().theta()));
            assertThat(run.ledger()).hasSize(sources);
        }
    }
}
