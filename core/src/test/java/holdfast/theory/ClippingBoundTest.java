package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.NormClipping;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.Round;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClippingBoundTest {
    @Test
    void theBoundHoldsForAllLiarsUpToTheBudgetAndAnyTarget() {
        double[] closest = new double[1];
        Laws.check(20_000, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(6);
            int m = 2 * f + 1 + random.nextInt(5);
            int liars = random.nextInt(f + 1);
            int d = 1 + random.nextInt(4);
            double[] target = Vectors.scaled(Math.pow(10, 2 * random.nextDouble() - 1), random.gaussians(d));
            double spread = Math.pow(10, 3 * random.nextDouble() - 2);
            List<double[]> honest = new ArrayList<>();
            for (int i = liars; i < m; i++) {
                double[] g = Vectors.scaled(spread, random.gaussians(d));
                honest.add(Vectors.add(g, target));
            }
            double[][] g = honest.toArray(new double[m][]);
            for (int i = honest.size(); i < m; i++) {
                g[i] = switch (random.nextInt(3)) {
                    case 0 -> Vectors.scaled(10 * random.nextGaussian(), random.gaussians(d));
                    case 1 -> Vectors.scaled(-random.nextDouble() * 1.5, target);
                    // Against the target, and too long to be left as it is.
                    default -> Vectors.scaled(-1e3, target);
                };
            }
            double[] made = new NormClipping(f).aggregate(Round.of(g)).direction();
            double bound = ClippingBound.bound(m, f, honest, target);
            Vectors.addScaled(made, -1, target, d);
            closest[0] = Math.max(closest[0], liars == 0 ? 0 : Vectors.norm(made) / bound);
            assertThat(Vectors.norm(made)).isLessThanOrEqualTo(bound * (1 + 1e-12));
        });
        assertThat(closest[0]).as("the inputs come close to the bound").isGreaterThan(0.9);
    }

    @Test
    void theBoundIsReached() {
        // Honest updates all 1, so the cut is 1 and both liars count as -1.
        double[][] g = {{1}, {1}, {1}, {1}, {1}, {-50}, {-1}};
        double made = new NormClipping(2).aggregate(Round.of(g)).direction()[0];
        assertThat(made).isCloseTo(3 / 7.0, within(1e-15));
        double bound = ClippingBound.bound(7, 2, List.of(g).subList(0, 5), new double[] {1});
        assertThat(1 - made).isCloseTo(bound, within(1e-15));
    }

    @Test
    void clippingBreaksAtOneHalfAndScreeningAtOneThird() {
        for (int m = 3; m <= 30; m++) {
            for (int liars = 0; liars < m; liars++) {
                double clipped = progress(new NormClipping(Math.min(liars, (m - 1) / 2)), m, liars);
                assertThat(clipped).isCloseTo(1 - 2.0 * liars / m, within(1e-8));
                assertThat(clipped > 1e-6).isEqualTo(2 * liars < m);
                double screened = progress(new NormScreening(liars), m, liars);
                assertThat(screened > 1e-6).isEqualTo(3 * liars < m);
            }
        }
    }

    /** How far the direction goes along the honest updates, all equal, when liars send just under minus that. */
    private static double progress(Aggregator rule, int m, int liars) {
        double[] common = {3, -4};
        double[][] g = new double[m][];
        Arrays.setAll(g, i -> i < liars ? Vectors.scaled(-(1 - 1e-9), common) : common);
        return Vectors.dot(rule.aggregate(Round.of(g)).direction(), common, 2) / 25;
    }

    @Test
    void theInfluenceIsTwoAlphaAndNeedsAMajority() {
        assertThat(ClippingBound.influence(10, 2, 2)).isEqualTo(0.4);
        assertThat(ClippingBound.influence(10, 0, 3)).isEqualTo(0.3);
        assertThat(ClippingBound.converges(10, 4, 4)).isTrue();
        assertThat(ClippingBound.converges(10, 5, 5)).isFalse();
        assertThatThrownBy(() -> ClippingBound.influence(10, 4, 3)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> ClippingBound.influence(10, 3, 10)).isInstanceOf(InputException.class);
    }
}
