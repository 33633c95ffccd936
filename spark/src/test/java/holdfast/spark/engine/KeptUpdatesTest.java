package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where updates are many and long, norms and one sum of them come back, and nothing else changes. */
class KeptUpdatesTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"norm-screening", "norm-clipping"})
    void twoPhasesGiveTheSameBitsAndLeaveNothing(String rule) {
        int columns = 60_000;
        int workers = 75;
        Dataset data = Samples.sparse(Seed.of(5), 600, columns, 8);
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with("rule", rule)
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.WORKERS, workers)
                .with("tolerated", "9")
                .with("learning-rate", "0.5")
                .with(PlanKey.ROUNDS, 4);
        TrainingRun expected = Training.of(data, plan).run();
        SparkTable table = Sparks.table(Sparks.frame(spark, data, 3), new Columns("features", "label", "weight", null));
        try (PreparedRun prepared =
                new SparkEngine(table, plan, data.schema(), data.source(), spark).startWorkers(spark)) {
            assertThat(((SparkPool) prepared.pool()).keeps(columns + 1)).isTrue();
            TrainingRun run = Training.of(data.source(), plan).run(prepared);
            assertThat(Laws.bits(run.model().theta()))
                    .isEqualTo(Laws.bits(expected.model().theta()));
            assertThat(run.ledger()).isEqualTo(expected.ledger());
            assertThat(run.objective()).isEqualTo(expected.objective());
        }
        assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
    }
}
