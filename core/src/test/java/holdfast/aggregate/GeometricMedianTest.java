package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeometricMedianTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new GeometricMedian(budget, Math.pow(10, -1 - random.nextInt(8)), 1 + random.nextInt(200));
    }

    /** It starts at zero, so only its limit would move along. */
    @Override
    protected boolean translates() {
        return false;
    }

    /** Nu is a length. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** 2 (n-f)/(n-2f) for the largest f. */
    @Override
    protected double growth(int workers, int length) {
        return workers + 1;
    }

    @Test
    void noNearbyPointHasASmallerSumOfDistances() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double[][] x = new double[3 + random.nextInt(10)][];
            Arrays.setAll(x, i -> random.gaussians(3));
            double[] z =
                    new GeometricMedian(1, 1e-9, 2000).aggregate(Round.of(x)).direction();
            double least = sumOfDistances(x, z);
            for (int i = 0; i < 50; i++) {
                double[] other = z.clone();
                Vectors.addScaled(other, Math.pow(10, -random.nextInt(5)), random.gaussians(3), 3);
                assertThat(sumOfDistances(x, other)).isGreaterThan(least - 1e-7);
            }
        });
    }

    private static double sumOfDistances(double[][] x, double[] z) {
        return Arrays.stream(x)
                .mapToDouble(v -> Math.sqrt(Vectors.dot(v, v, 3) - 2 * Vectors.dot(v, z, 3) + Vectors.dot(z, z, 3)))
                .sum();
    }

    @Test
    void liarsAtItsStartHoldItBackOnlyWhereNothingIsClaimed() {
        for (int f : new int[] {40, 45, 50}) {
            double[][] x = new double[101][];
            Arrays.setAll(x, i -> i < f ? new double[] {0, 0} : new double[] {100, 200});
            GeometricMedian rule = new GeometricMedian(f, GeometricMedian.NU, GeometricMedian.STEPS);
            double share = rule.aggregate(Round.of(x)).direction()[1] / 200;
            boolean claimed = rule.errorBound(101).isPresent();
            assertThat(claimed).isEqualTo(f < 50);
            assertThat(share).isBetween(claimed ? 1 - 1e-6 : 0, claimed ? 1 + 1e-6 : 1e-3);
        }
    }

    @Test
    void ofATriangleIsTheFermatPoint() {
        double[][] x = {{0, 0}, {1, 0}, {0.5, Math.sqrt(3) / 2}};
        assertThat(new GeometricMedian(1, 1e-6, 200).aggregate(Round.of(x)).direction())
                .containsExactly(new double[] {0.5, Math.sqrt(3) / 6}, within(1e-9));
    }

    @Test
    void aHugeLiarPullsNoMoreThanAFarOne() {
        double[][] x = {{1, 0}, {1, 1}, {2, 0}, {1e4, 0}, {1.5, 0.5}};
        double[] far = new GeometricMedian(1, 1e-6, 200).aggregate(Round.of(x)).direction();
        x[3][0] = Double.MAX_VALUE;
        Aggregate made = new GeometricMedian(1, 1e-6, 200).aggregate(Round.of(x));
        assertThat(made.direction()).containsExactly(far, within(1e-3));
        assertThat(made.explanation()).startsWith("farthest worker 3, distance 1.798e+308");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWhatIsNoSmoothing(double nu) {
        assertThatThrownBy(() -> new GeometricMedian(0, nu, 1))
                .isInstanceOf(InputException.class)
                .hasMessage("geometric-median: nu must be finite and > 0, got " + nu);
    }
}
