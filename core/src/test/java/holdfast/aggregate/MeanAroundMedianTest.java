package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeanAroundMedianTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new MeanAroundMedian(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** A value that counts is no farther from the median than some honest one: at most three times the largest of them. */
    @Override
    protected double growth(int workers, int length) {
        return 3 * Math.sqrt(Math.min(workers, length));
    }

    @Test
    void isTheMeanOfTheNearestToTheMedianBySorting() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(4);
            double[] x = random.gaussians(2 * f + 1 + random.nextInt(5));
            double[][] updates =
                    Arrays.stream(x).mapToObj(v -> new double[] {v}).toArray(double[][]::new);
            double median = new Median(f).aggregate(Round.of(updates)).direction()[0];
            double mean = IntStream.range(0, x.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> Math.abs(x[i] - median)))
                    .limit(x.length - f)
                    .mapToDouble(i -> x[i])
                    .average()
                    .orElseThrow();
            assertThat(new MeanAroundMedian(f).aggregate(Round.of(updates)).direction()[0])
                    .isCloseTo(mean, within(1e-12));
        });
    }

    @Test
    void ofEquallyFarValuesTheLowerCounts() {
        double[][] x = {{3}, {0}, {-3}};
        assertThat(new MeanAroundMedian(1).aggregate(Round.of(x)).direction()).containsExactly(-1.5);
    }
}
