package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.Round;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScreeningBoundTest {
    private static double distance(double[] a, double[] b) {
        double[] gap = a.clone();
        Vectors.addScaled(gap, -1, b, gap.length);
        return Vectors.norm(gap);
    }

    @Test
    void theoremOneHoldsForAllLiarsUpToTheNumberScreenedAndAnyTarget() {
        double[] closest = new double[1];
        Laws.check(20_000, seed -> {
            Randomness random = seed.random();
            int m = 1 + random.nextInt(12);
            int screened = random.nextInt(m);
            int[] liars = random.choose(random.nextInt(screened + 1), m);
            int d = 1 + random.nextInt(4);
            double[] target = Vectors.scaled(Math.pow(10, 2 * random.nextDouble() - 1), random.gaussians(d));
            double spread = Math.pow(10, 3 * random.nextDouble() - 2);
            double[][] g = new double[m][];
            for (int i = 0; i < m; i++) {
                g[i] = Vectors.scaled(spread, random.gaussians(d));
                Vectors.addScaled(g[i], 1, target, d);
            }
            double[] norms = IntStream.range(0, m)
                    .filter(i -> Arrays.binarySearch(liars, i) < 0)
                    .mapToDouble(i -> Vectors.norm(g[i]))
                    .sorted()
                    .toArray();
            for (int liar : liars) {
                g[liar] = switch (random.nextInt(3)) {
                    case 0 -> Vectors.scaled(10 * random.nextGaussian(), random.gaussians(d));
                    case 1 -> Vectors.scaled(-random.nextDouble() * 1.5, target);
                    // Against the target, just short enough not to be screened.
                    default ->
                        Vectors.scaled(
                                -norms[random.nextInt(norms.length)] * (1 - 1e-9) / Vectors.norm(target), target);
                };
            }
            List<double[]> honest = IntStream.range(0, m)
                    .filter(i -> Arrays.binarySearch(liars, i) < 0)
                    .mapToObj(i -> g[i])
                    .toList();
            double[] made = new NormScreening(screened).aggregate(Round.of(g)).direction();
            double bound = ScreeningBound.bound(m, screened, honest, target);
            double got = distance(made, target);
            closest[0] = Math.max(closest[0], liars.length == 0 ? 0 : got / bound);
            assertThat(got).isLessThanOrEqualTo(bound * (1 + 1e-12));
        });
        assertThat(closest[0]).as("the inputs come close to the bound").isGreaterThan(0.95);
    }

    @Test
    void theBoundIsTheFormulaOfTheoremOne() {
        // m = 3, one liar, one screened: C = 2/(3-1) = 1.
        List<double[]> honest = List.of(new double[] {4}, new double[] {6});
        assertThat(ScreeningBound.bound(3, 1, honest, new double[] {5})).isEqualTo(1 * 5 + 1);
        assertThat(ScreeningBound.influence(10, 2, 4)).isCloseTo(2 * 0.2 / (1 - 0.4), within(1e-15));
    }

    @Test
    void aLiarJustShortEnoughToBeKeptNearlyReachesTheBoundOnASingleUpdate() {
        double[] liar = {-5.9};
        Aggregate made = new NormScreening(1).aggregate(Round.of(new double[] {4}, new double[] {6}, liar));
        assertThat(made.kept()).containsExactly(0, 2);
        assertThat(made.direction()[0]).isCloseTo((4 - 5.9) / 2, within(1e-15));
        // What the proof allows a kept liar: 2 ||S|| + max ||g_i - S|| = 11.
        assertThat(distance(liar, new double[] {5})).isCloseTo(10.9, within(1e-12));
    }

    @Test
    void fourLiarsOfTenTurnTheDirectionRound() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double[] common = random.gaussians(5);
            double[][] g = new double[10][];
            // g_5 .. g_10 of the paper by descending norm, in all the same but for length.
            for (int i = 4; i < 10; i++) {
                g[i] = Vectors.scaled(1.1 - 0.01 * i, common);
            }
            for (int i = 0; i < 4; i++) {
                g[i] = Vectors.scaled(-1, g[8]);
            }
            Aggregate made = new NormScreening(4).aggregate(Round.of(g));
            assertThat(made.kept()).containsExactly(0, 1, 2, 3, 8, 9);
            double[] expected = new double[5];
            Vectors.addScaled(expected, -3.0 / 6, g[8], 5);
            Vectors.addScaled(expected, 1.0 / 6, g[9], 5);
            assertThat(made.direction()).containsExactly(expected, within(1e-12));
            assertThat(Vectors.dot(made.direction(), common, 5)).isNegative();
        });
    }

    @Test
    void convergenceNeedsTwiceTheLiarsAndTheScreenedToBeFewerThanAll() {
        assertThat(ScreeningBound.converges(10, 3, 3)).isTrue();
        assertThat(ScreeningBound.converges(9, 3, 3)).isFalse();
        assertThat(ScreeningBound.converges(10, 2, 6)).isFalse();
        assertThat(ScreeningBound.converges(10, 0, 9)).isTrue();
    }

    @Test
    void moreLiarsThanScreenedHaveNoTheorem() {
        assertThatThrownBy(() -> ScreeningBound.influence(10, 4, 3)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> ScreeningBound.influence(10, 3, 10)).isInstanceOf(InputException.class);
    }
}
