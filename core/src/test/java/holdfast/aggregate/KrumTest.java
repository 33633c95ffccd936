package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KrumTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Krum(budget, random.nextInt(2) == 0 ? Krum.Neighbours.BYZFL : Krum.Neighbours.BLANCHARD);
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

    /** The score as the paper writes it: the smallest sum of squares over any set of neighbours. */
    static double score(double[][] x, int i, int neighbours) {
        double least = Double.POSITIVE_INFINITY;
        for (int set = 0; set < 1 << x.length; set++) {
            if (Integer.bitCount(set) == neighbours && (set >> i & 1) == 0) {
                double sum = 0;
                for (int j = 0; j < x.length; j++) {
                    for (int k = 0; k < x[i].length; k++) {
                        sum += (set >> j & 1) * Math.pow(x[i][k] - x[j][k], 2);
                    }
                }
                least = Math.min(least, sum);
            }
        }
        return least;
    }

    @Test
    void hasTheSmallestScoreOfAllByBruteForce() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(3);
            double[][] x = new double[2 * f + 3 + random.nextInt(3)][];
            Arrays.setAll(x, i -> random.gaussians(2));
            for (Krum.Neighbours neighbours : Krum.Neighbours.values()) {
                int count = x.length - f - (neighbours == Krum.Neighbours.BYZFL ? 1 : 2);
                int chosen = new Krum(f, neighbours).aggregate(Round.of(x)).kept()[0];
                double score = score(x, chosen, count);
                for (int i = 0; i < x.length; i++) {
                    assertThat(score(x, i, count)).isGreaterThanOrEqualTo(score * (1 - 1e-12));
                }
            }
        });
    }

    @Test
    void theTwoCountsOfNeighboursCanDisagree() {
        double[][] x = {{0}, {1}, {3}, {3.9}, {10}};
        assertThat(Aggregators.create("krum(f=1)", 0).aggregate(Round.of(x)).kept())
                .containsExactly(1);
        assertThat(Aggregators.create("krum(f=1, neighbours=blanchard)", 0)
                        .aggregate(Round.of(x))
                        .kept())
                .containsExactly(2);
    }

    @Test
    void aHugeLiarLeavesTheOthersScoresAsTheyAre() {
        double[][] x = {{1.25}, {2}, {1.5}, {1.625}, {Double.MAX_VALUE}};
        Aggregate made = new Krum(1, Krum.Neighbours.BLANCHARD).aggregate(Round.of(x));
        assertThat(made.kept()).containsExactly(2);
        assertThat(made.explanation()).isEqualTo("worker 2, score 0.2795; next best 0.3953");
        for (double[] v : x) {
            v[0] = -v[0];
        }
        x[4][0] = -Double.MAX_VALUE;
        assertThat(new Krum(1, Krum.Neighbours.BLANCHARD).aggregate(Round.of(x)).kept())
                .containsExactly(2);
    }

    @Test
    void comparesScoresBeyondTheRangeOfSquares() {
        for (double scale : new double[] {1e-200, 1, 1e200, 1e307}) {
            double[][] x = {
                {0, 0}, {9 * scale, 0}, {4 * scale, 3 * scale}, {4 * scale, 2 * scale}, {4 * scale, 9 * scale}
            };
            assertThat(new Krum(1, Krum.Neighbours.BYZFL).aggregate(Round.of(x)).kept())
                    .as("scale %s", scale)
                    .containsExactly(3);
        }
    }

    @Test
    void ofEqualScoresTheOneNearerToAllWinsAndThenTheLowerId() {
        double[][] x = {{0}, {1}, {5}};
        assertThat(new Krum(0, Krum.Neighbours.BLANCHARD).aggregate(Round.of(x)).kept())
                .containsExactly(1);
        double[][] same = {{1}, {1}, {1}};
        assertThat(new Krum(0, Krum.Neighbours.BLANCHARD)
                        .aggregate(Round.of(same))
                        .kept())
                .containsExactly(0);
    }
}
