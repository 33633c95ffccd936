package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import java.util.List;
import org.junit.jupiter.api.Test;

class IntelligentTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Intelligent(0.8);
    }

    @Test
    void everyLiarSendsTheSameVectorOfFourFifthsTheMeansLength() {
        Laws.check(100, seed -> {
            AttackContext now = situation(seed, 1);
            double length = 0.8 * Vectors.norm(now.trueMean());
            List<double[]> forged = attack().forge(now);
            assertThat(forged).allSatisfy(v -> {
                assertThat(Vectors.norm(v)).isCloseTo(length, within(1e-13 * length));
                assertThat(v).isEqualTo(forged.get(0));
            });
        });
    }

    @Test
    void theDirectionIsDrawnAnewForEachSeedAndPointsNowhereInParticular() {
        List<WorkerUpdate> honest =
                List.of(new WorkerUpdate(0, new double[] {1, 0}), new WorkerUpdate(1, new double[] {1, 0}));
        double along = 0;
        double last = Double.NaN;
        for (int round = 0; round < 1000; round++) {
            double[] v = attack().forge(
                            situation(honest, new int[] {1}, 1, Seed.of(5).child("round", round)))
                    .get(0);
            assertThat(v[0]).isNotEqualTo(last);
            last = v[0];
            along += v[0] / 1000;
        }
        // The mean of 1000 cosines times 0.8 has standard deviation 0.8 / sqrt(2000) = 0.018.
        assertThat(along).isCloseTo(0, within(0.07));
    }

    @Test
    void refusesAShareThatIsNone() {
        for (double share : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Intelligent(share))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("share");
        }
    }
}
