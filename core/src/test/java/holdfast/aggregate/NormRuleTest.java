package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NormRuleTest {
    private static Round round(List<WorkerUpdate> updates) {
        return new Round(0, 9, updates, new double[2], Seed.of(0), Carry.NONE, null);
    }

    /** (0.5 g_1 + g_2 + 0.25 g_7) / 4, without g_4; the divisor is not the number of the kept. */
    @Test
    void eachKeptUpdateCountsByItsOwnFactor() {
        NormRule.Weights weights = new NormRule.Weights(new int[] {1, 2, 7}, new double[] {0.5, 1, 0.25}, 4, "why");
        List<WorkerUpdate> updates = new ArrayList<>(List.of(
                new WorkerUpdate(1, new double[] {8, 0}),
                new WorkerUpdate(2, new double[] {1, 1}),
                new WorkerUpdate(4, new double[] {1e9, 1e9}),
                new WorkerUpdate(7, new double[] {0, 40})));
        for (int i = 0; i < updates.size(); i++) {
            Aggregate made = weights.applyTo(round(updates));
            assertThat(made.direction()).containsExactly(5 / 4.0, 11 / 4.0);
            assertThat(made.kept()).containsExactly(1, 2, 7);
            assertThat(made.explanation()).isEqualTo("why");
            Collections.rotate(updates, 1);
        }
    }

    /** To the bit, because an engine may have only the sum, and sums depend on their order. */
    @Test
    void theOrderOfTheUpdatesDoesNotMatter() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int[] kept = random.choose(1 + random.nextInt(9), 9);
            double[] factors = new double[kept.length];
            Arrays.setAll(factors, i -> random.nextDouble());
            NormRule.Weights weights = new NormRule.Weights(kept, factors, 1 + 9 * random.nextDouble(), "");
            List<WorkerUpdate> updates = new ArrayList<>();
            for (int w = 0; w < 9; w++) {
                updates.add(new WorkerUpdate(w, random.gaussians(2)));
            }
            double[] expected = weights.applyTo(Tree.reduce(
                            kept.length,
                            i -> Vectors.scaled(factors[i], updates.get(kept[i]).vector()),
                            Vectors::add))
                    .direction();
            Collections.shuffle(updates, new Random(seed.random().nextInt(1000)));
            assertThat(Laws.bits(weights.applyTo(round(updates)).direction())).isEqualTo(Laws.bits(expected));
        });
    }
}
