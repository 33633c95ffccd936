package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MedianTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Median(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** Every coordinate lies between honest values. */
    @Override
    protected double growth(int workers, int length) {
        return Math.sqrt(Math.min(workers, length));
    }

    @Test
    void hasAsManyValuesBelowAsAbove() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double[][] x = new double[1 + random.nextInt(12)][];
            Arrays.setAll(x, i -> random.gaussians(4));
            double[] median = new Median(0).aggregate(Round.of(x)).direction();
            for (int k = 0; k < 4; k++) {
                int at = k;
                long below = Arrays.stream(x).filter(v -> v[at] < median[at]).count();
                long above = Arrays.stream(x).filter(v -> v[at] > median[at]).count();
                assertThat(below).isEqualTo(above).isEqualTo(x.length / 2);
            }
        });
    }

    @Test
    void ofAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
        double[][] x = {{9, -1e308}, {1, 1e308}, {4, 1.5e308}, {2, 1.7e308}};
        assertThat(new Median(0).aggregate(Round.of(x)).direction()).containsExactly(3, 1.25e308);
    }

    @Test
    void budgetsThatCannotBeAreRefused() {
        for (int f : new int[] {-1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> new Median(f))
                    .isInstanceOf(InputException.class)
                    .hasMessage("median: tolerated must be between 0 and 100000000, got " + f);
        }
    }
}
