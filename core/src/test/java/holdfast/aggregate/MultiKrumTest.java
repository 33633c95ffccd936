package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MultiKrumTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new MultiKrum(budget, random.nextInt(2) == 0 ? Krum.Neighbours.BYZFL : Krum.Neighbours.BLANCHARD);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** A chosen liar is no farther from 3 honest neighbours than an honest one from all of its. */
    @Override
    protected double growth(int workers, int length) {
        return 1 + 2 * Math.sqrt(workers);
    }

    @Test
    void keepsTheLowestScoresByBruteForce() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(2);
            double[][] x = new double[2 * f + 3 + random.nextInt(3)][];
            Arrays.setAll(x, i -> random.gaussians(2));
            for (Krum.Neighbours neighbours : Krum.Neighbours.values()) {
                int count = x.length - f - (neighbours == Krum.Neighbours.BYZFL ? 1 : 2);
                int[] best = IntStream.range(0, x.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> KrumTest.score(x, i, count)))
                        .limit(x.length - f)
                        .mapToInt(i -> i)
                        .sorted()
                        .toArray();
                assertThat(new MultiKrum(f, neighbours).aggregate(Round.of(x)).kept())
                        .isEqualTo(best);
            }
        });
    }

    @Test
    void tellsWhoWasLeftOut() {
        double[][] x = {{0}, {1}, {9}, {2}, {3}};
        Aggregate made = new MultiKrum(1, Krum.Neighbours.BYZFL).aggregate(Round.of(x));
        assertThat(made.direction()).containsExactly(1.5);
        assertThat(made.explanation()).isEqualTo("left out [2]: scores 2.449 to 3.742, highest 12.21");
    }
}
