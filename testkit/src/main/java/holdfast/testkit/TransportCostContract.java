package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.objective.TransportCost;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * The laws of every transport cost: staying is free, the gradient is that of the cost, and the cost is as convex and as
 * smooth as it says.
 *
 * <p>To test a cost, extend this class and implement {@link #cost}.
 */
public abstract class TransportCostContract {
    private static final double STEP = 1e-5;

    /**
     * Returns the cost to test, for rows of this many columns; draws its other parameters from all their legal values.
     */
    protected abstract TransportCost cost(int columns, Randomness random);

    /** Two rows inside longer arrays. */
    private record Case(TransportCost cost, int columns, double[] z, double[] x) {
        double[] gradient(double[] at) {
            double[] out = new double[at.length];
            cost.gradient(at, x, 2, columns, out);
            return out;
        }

        double value(double[] at) {
            return cost.cost(at, x, 2, columns);
        }
    }

    private void check(BiConsumer<Case, Randomness> law) {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(6);
            law.accept(new Case(cost(d, random), d, random.gaussians(d + 3), random.gaussians(d + 3)), random);
        });
    }

    @Test
    protected void stayingIsFreeAndMovingIsNot() {
        check((c, random) -> {
            assertThat(c.value(c.x)).isZero();
            assertThat(c.value(c.z)).isPositive();
            assertThat(Vectors.norm(c.gradient(c.x))).isZero();
        });
    }

    @Test
    protected void theGradientIsThatOfTheCostAndStaysInItsRange() {
        check((c, random) -> {
            double[] before = c.z.clone();
            double[] gradient = c.gradient(c.z);
            assertThat(c.z).isEqualTo(before);
            for (int i = 0; i < c.z.length; i++) {
                double[] up = c.z.clone();
                double[] down = c.z.clone();
                up[i] += STEP;
                down[i] -= STEP;
                assertThat(gradient[i]).isCloseTo((c.value(up) - c.value(down)) / (2 * STEP), within(1e-7));
            }
        });
    }

    /** m ||v - z||^2 &lt;= (grad c(v) - grad c(z)) . (v - z) &lt;= M ||v - z||^2. */
    @Test
    protected void itIsAsConvexAndAsSmoothAsItSays() {
        check((c, random) -> {
            double[] v = random.gaussians(c.z.length);
            double[] gap = Arrays.copyOfRange(v, 2, 2 + c.columns);
            Vectors.addScaled(gap, -1, Arrays.copyOfRange(c.z, 2, 2 + c.columns), c.columns);
            double[] turn = Arrays.copyOfRange(c.gradient(v), 2, 2 + c.columns);
            Vectors.addScaled(turn, -1, Arrays.copyOfRange(c.gradient(c.z), 2, 2 + c.columns), c.columns);
            double squared = Vectors.dot(gap, gap, c.columns);
            double product = Vectors.dot(turn, gap, c.columns);
            assertThat(product).isGreaterThanOrEqualTo((c.cost.strongConvexity() - 1e-12) * squared);
            assertThat(Vectors.norm(turn)).isLessThanOrEqualTo((c.cost.smoothness() + 1e-12) * Math.sqrt(squared));
        });
    }
}
