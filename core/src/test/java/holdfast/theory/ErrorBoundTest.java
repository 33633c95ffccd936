package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorBoundTest {
    /** G is anywhere within sqrt(kappa) r of the mean of two honest updates at 1 and -1, which have r = 1. */
    @Test
    void kappaBoundsTheDistanceFromEveryTarget() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            double kappa = 10 * random.nextDouble();
            double[] direction = Vectors.scaled(Math.sqrt(kappa), Vectors.unit(random.gaussians(2)));
            double[] target = Vectors.scaled(3 * random.nextDouble(), random.gaussians(2));
            List<double[]> honest = List.of(new double[] {1, 0}, new double[] {-1, 0});
            assertThat(distance(direction, target))
                    .isLessThanOrEqualTo(ErrorBound.ofKappa(kappa).at(honest, target) * (1 + 1e-12));
        });
    }

    @Test
    void aDirectionOppositeToTheTargetReachesTheBound() {
        double kappa = 4;
        double[] target = {0, 1 / Math.sqrt(kappa)};
        double[] direction = {0, -Math.sqrt(kappa)};
        assertThat(distance(direction, target))
                .isCloseTo(
                        ErrorBound.ofKappa(kappa).at(List.of(new double[] {1, 0}, new double[] {-1, 0}), target),
                        within(1e-12));
    }

    private static double distance(double[] a, double[] b) {
        return Math.hypot(a[0] - b[0], a[1] - b[1]);
    }

    @Test
    void influenceCountsTheTargetAndSpreadTheHonest() {
        assertThat(new ErrorBound(0.5, 3).at(List.of(new double[] {3, 4}, new double[] {0, 1}), new double[] {3, 0}))
                .isCloseTo(0.5 * 3 + 3 * 4, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "1, -1", "NaN, 1", "1, NaN", "Infinity, 1", "1, Infinity"})
    void impossibleBoundsAreRefused(double influence, double spread) {
        assertThatThrownBy(() -> new ErrorBound(influence, spread))
                .isInstanceOf(InputException.class)
                .hasMessage("an error bound's influence and spread must be finite and >= 0, got " + influence + " and "
                        + spread);
    }
}
