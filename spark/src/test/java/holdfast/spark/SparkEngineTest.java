package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import holdfast.Samples;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.training.Engagement;
import holdfast.training.Training;
import holdfast.training.TrainingPlan;
import holdfast.training.TrainingRun;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same plan, seed and rows give the bits of the engine in one process. */
class SparkEngineTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static TrainingRun onSpark(Dataset data, TrainingPlan plan, int partitions) {
        Table table = Table.of(
                Sparks.frame(spark, data, partitions),
                new Columns("features", "label", data.weighted() ? "weight" : null, data.hasGroups() ? "source" : null));
        SparkEngine engine = new SparkEngine(table, plan, data.schema(), data.source(), spark);
        try (Engagement engaged = engine.engage(spark)) {
            return Training.of(data.source(), plan).run(engaged);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partition=in-turn;test-share=0;workers=5;rounds=30",
                "partition=in-turn;test-share=0;workers=1;rounds=20;scale=none;learning-rate=0.5",
                "partition=in-turn;test-share=0;workers=3;rounds=20;lambda=3;ascent-steps=10;ascent-rate=0.05",
                "partition=iid;test-share=0.25;workers=6;rounds=20",
                "partition=by-class;test-share=0.2;workers=4;rounds=20;attack=aggressive;liars=1",
                "partition=iid;test-share=0;workers=5;rounds=10;batch=20;local-steps=3;validation=0.2",
                "partition=iid;test-share=0;workers=6;replicas=3;rounds=10;screened=1;rule=mean",
                "partition=in-turn;test-share=0;workers=4;rounds=5;update=newton",
                "partition=in-turn;test-share=0;workers=4;rounds=10;class-weights=balanced;scale=min-max"
            })
    void trainsToTheSameBits(String settings) {
        TrainingPlan plan = TrainingPlan.defaults();
        for (String setting : settings.split(";")) {
            String[] pair = setting.split("=");
            plan = plan.with(pair[0], pair[1]);
        }
        Dataset data = Samples.dataset(Seed.of(7), 2700, 6);
        TrainingRun expected = Training.of(data, plan).run();
        for (int partitions : new int[] {1, 2, 7}) {
            TrainingRun run = onSpark(data, plan, partitions);
            assertThat(Laws.bits(run.model().theta()))
                    .as("%d partitions", partitions)
                    .isEqualTo(Laws.bits(expected.model().theta()));
            assertThat(run.objective()).isEqualTo(expected.objective());
            assertThat(run.learningRate()).isEqualTo(expected.learningRate());
        }
    }
}
