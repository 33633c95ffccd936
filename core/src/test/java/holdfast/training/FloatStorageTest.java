package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;
import holdfast.data.FloatBlock;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloatStorageTest {
    private static Plan plan(String settings) {
        Map<String, String> map = new LinkedHashMap<>(Map.of("rounds", "8", "workers", "4", "storage", "float"));
        Arrays.stream(settings.split("; ")).map(s -> s.split(" ", 2)).forEach(s -> map.put(s[0], s[1]));
        return Plan.of(map);
    }

    private static Dataset data(Plan plan) {
        return switch (plan.get(PlanKey.MODEL).toString()) {
            case "softmax" -> Samples.classes(Seed.of(4), 700, 5, 3, 0);
            case "linear" -> Samples.numbers(Seed.of(4), 700, 5, 0);
            case "poisson" -> Samples.counts(Seed.of(4), 300, 2);
            default -> Samples.dataset(Seed.of(4), 700, 21);
        };
    }

    private static Dataset rounded(Dataset data) {
        return data.map(block -> {
            double[] x = block.filled("");
            Arrays.setAll(x, i -> (float) x[i]);
            return new DenseBlock(block.columns(), x, block.labels(), block.weights());
        });
    }

    /** Prepared as doubles, and then rounded. */
    private static PreparedData reference(Plan plan) {
        PreparedData in = PreparedData.of(data(plan), plan.without(PlanKey.STORAGE, PlanKey.ATTACK, PlanKey.LIARS));
        return new PreparedData(
                in.preparation(),
                in.across(),
                rounded(in.training()),
                in.partition(),
                in.shards().stream().map(FloatStorageTest::rounded).toList(),
                in.root().map(FloatStorageTest::rounded),
                in.heldOut(),
                in.unusable(),
                in.probe());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model logistic",
                "model svm; scale min-max; class-weights balanced; batch 40; local-steps 2",
                "model logistic; lambda none; update newton; replicas 2; screened 0",
                "model logistic; maximiser ascent; ascent-steps 3; rule fltrust; root 30",
                "model logistic; maximiser recurrence; precision 1e-3; validation 0.2",
                "model logistic; attack backdoor; liars 1",
                "model logistic; attack feature-noise(sd=0.3); liars 1",
                "model softmax",
                "model linear; scale sd",
                "model poisson"
            })
    void trainsToTheBitsOfRoundedRowsOnAnyThreads(String settings) {
        Plan plan = plan(settings);
        long[] expected = Laws.bits(reference(plan).train(plan.without(PlanKey.STORAGE)));
        for (int threads : new int[] {1, 3}) {
            assertThat(Laws.bits(Training.of(data(plan), plan)
                            .threads(threads)
                            .run()
                            .model()
                            .theta()))
                    .isEqualTo(expected);
        }
    }

    @Test
    void allThatIsTrainedOnIsInFloats() {
        PreparedData prepared = PreparedData.of(data(plan("model logistic")), plan("model logistic; root 9"));
        assertThat(prepared.training().blocks()).hasOnlyElementsOfType(FloatBlock.class);
        assertThat(prepared.root().orElseThrow().blocks()).hasOnlyElementsOfType(FloatBlock.class);
        assertThat(prepared.shards())
                .allSatisfy(shard -> assertThat(shard.blocks()).hasOnlyElementsOfType(FloatBlock.class));
        assertThat(prepared.heldOut().orElseThrow().blocks()).hasOnlyElementsOfType(DenseBlock.class);
    }

    @Test
    void roundingChangesLittle() {
        Plan floats = plan("model logistic; rounds 50");
        double[] theta = Training.of(data(floats), floats).run().model().theta();
        double[] other = Training.of(data(floats), floats.without(PlanKey.STORAGE))
                .run()
                .model()
                .theta();
        assertThat(theta).isNotEqualTo(other);
        assertThat(theta).containsExactly(other, within(1e-6));
    }

    @Test
    void saysWhichValueIsTooLarge() {
        Dataset data = Samples.dataset(Seed.of(4), 700, 21).with(r -> r % 20 == 6, 2, 1e39);
        assertThatThrownBy(() -> PreparedData.of(data, plan("scale none")))
                .hasMessageMatching(
                        "memory: row [0-9]*[27], column x2: --storage float cannot hold 1.0E39, which is too"
                                + " large; use --storage double");
        assertThat(PreparedData.of(data, plan("scale max-abs")).training().rows())
                .isPositive();
    }
}
