package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticClippingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new PreAggregated(new StaticClipping(Math.pow(10, random.nextInt(600) - 300)), new TrimmedMean(budget));
    }

    @Override
    protected boolean translates() {
        return false;
    }

    /** C is a length. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** Longer ones are shortened. */
    @Override
    protected boolean faithful() {
        return false;
    }

    /** Every coordinate lies between honest values. */
    @Override
    protected double growth(int workers, int length) {
        return Math.sqrt(Math.min(workers, length));
    }

    @Test
    void keepsTheDirectionAndNoMoreThanTheLength() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double[] x = Vectors.scaled(Math.pow(10, random.nextInt(600) - 300), random.gaussians(3));
            double[] made =
                    new StaticClipping(2).mix(Round.of(x), 0).get(0).update().vector();
            double norm = Vectors.norm(x);
            assertThat(Vectors.norm(made)).isCloseTo(Math.min(norm, 2), within(1e-15));
            for (int k = 0; k < 3; k++) {
                assertThat(made[k] / Vectors.norm(made)).isCloseTo(x[k] / norm, within(1e-12));
            }
        });
    }

    @Test
    void aNormAboveTheLargestDoubleIsClippedToo() {
        double[] x = {Double.MAX_VALUE, -Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
        assertThat(new StaticClipping(2).mix(Round.of(x), 0).get(0).update().vector())
                .containsExactly(new double[] {1, -1, 1, 1}, within(1e-15));
    }

    @Test
    void beforeTheMeanLiarsGainTheirShareOfC() {
        double[][] x = {{1}, {1}, {1}, {-1e300}};
        assertThat(Aggregators.create("clipping + mean", 0)
                        .aggregate(Round.of(x))
                        .direction())
                .containsExactly(0.25);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWhatIsNoLength(double c) {
        assertThatThrownBy(() -> new StaticClipping(c))
                .isInstanceOf(InputException.class)
                .hasMessage("clipping: c must be finite and > 0, got " + c);
    }
}
