package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import org.junit.jupiter.api.Test;

class AdaptiveRobustClippingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new PreAggregated(new AdaptiveRobustClipping(), new GeometricMedian(budget, 1e-6, 50));
    }

    @Override
    protected boolean translates() {
        return false;
    }

    /** Not the geometric median that follows: its nu is a length. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** That of the geometric median, for nothing honest gets longer. */
    @Override
    protected double growth(int workers, int length) {
        return workers + 1;
    }

    @Test
    void clipsAsManyAsItsFormulaSays() {
        double[][] x = {{7}, {-6}, {5}, {4}, {3}, {2}, {-1}};
        double[] clipped = new AdaptiveRobustClipping()
                .mix(Round.of(x), 2).stream()
                        .mapToDouble(m -> m.update().vector()[0])
                        .toArray();
        // floor(2 * 2/7 * 5) = 2
        assertThat(clipped).containsExactly(5, -5, 5, 4, 3, 2, -1);
        assertThat(new AdaptiveRobustClipping()
                        .mix(Round.of(x), 0)
                        .get(0)
                        .update()
                        .vector())
                .containsExactly(7);
    }
}
