package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DivideAndConquerTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new DivideAndConquer(
                budget, 1 + random.nextInt(3), 20 + random.nextInt(9), 0.5 + random.nextInt(3) / 2.0);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** {@link #theLargerOfTwoLiarsHidesTheSmaller}. */
    @Override
    protected int boundedLiars(int budget) {
        return Math.min(1, budget);
    }

    /** A liar at distance D from the honest mean is only kept if some honest score is as high: D (sqrt(n-1) - 1) &lt;= 2nR. */
    @Override
    protected double growth(int workers, int length) {
        return workers < 3 ? 1 : 1 + 2 * workers / (Math.sqrt(workers - 1) - 1);
    }

    @Test
    void theLargerOfTwoLiarsHidesTheSmaller() {
        double[][] g = {{0, 1e6, 0}, {1e12, 0, 0}, {-1, 0, 1}, {-3, 0, 2}, {1, 0, 3}};
        Aggregate made = new DivideAndConquer(2, 1, 3, 1).aggregate(Round.of(g));
        assertThat(made.kept()).contains(0).doesNotContain(1);
        assertThat(Vectors.norm(made.direction())).isGreaterThan(1e5);
    }

    @Test
    void dropsTheFarthestAlongTheLongestAxis() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int n = 7 + random.nextInt(5);
            int f = 1 + random.nextInt(3);
            // Uncorrelated by mirror images, the first axis by far the longest: its squares are the scores.
            double[][] g = new double[2 * n][];
            for (int i = 0; i < n; i++) {
                double[] x = random.gaussians(3);
                x[0] *= 100;
                g[2 * i] = new double[] {x[0], x[1], x[2]};
                g[2 * i + 1] = new double[] {x[0], -x[1], -x[2]};
            }
            double mean = Arrays.stream(g).mapToDouble(x -> x[0]).sum() / (2 * n);
            int[] expected = IntStream.range(0, 2 * n)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> Math.abs(g[i][0] - mean)))
                    .limit(2 * (n - f))
                    .mapToInt(i -> i)
                    .sorted()
                    .toArray();
            assertThat(new DivideAndConquer(2 * f, 1, 10, 1)
                            .aggregate(Round.of(g))
                            .kept())
                    .isEqualTo(expected);
            assertThat(new DivideAndConquer(f, 1, 10, 2).aggregate(Round.of(g)).kept())
                    .isEqualTo(expected);
        });
    }

    @Test
    void looksOnlyAtTheCoordinatesDrawn() {
        double[][] g = {{9, 0}, {1, 0}, {-1, 0}, {0, 9}, {0, 0}};
        List<WorkerUpdate> votes = Round.of(g).updates();
        boolean[] dropped = new boolean[5];
        for (int i = 0; i < 20; i++) {
            int[] kept = new DivideAndConquer(1, 1, 1, 1)
                    .aggregate(new Round(0, 5, votes, new double[2], Seed.of(i), Carry.NONE, null))
                    .kept();
            assertThat(kept).hasSize(4);
            for (int w = 0; w < 5; w++) {
                dropped[w] |= Arrays.binarySearch(kept, w) < 0;
            }
        }
        assertThat(dropped).containsExactly(true, false, false, true, false);
        // Every iteration draws anew: in nine of them both axes come up, so both go and no other.
        assertThat(new DivideAndConquer(1, 9, 1, 0.1)
                        .aggregate(new Round(0, 11, many(), new double[2], Seed.of(1), Carry.NONE, null))
                        .kept())
                .hasSize(9);
    }

    private static List<WorkerUpdate> many() {
        double[][] g = new double[11][2];
        g[3][0] = 5;
        g[4][1] = 5;
        return Round.of(g).updates();
    }

    @Test
    void needsAVoteThatNoIterationCanDrop() {
        assertThat(new DivideAndConquer(3, 1, 9, 1).minWorkers()).isEqualTo(7);
        assertThat(new DivideAndConquer(3, 2, 9, 1.5).minWorkers()).isEqualTo(3 + 2 * 5 + 1);
        assertThat(new DivideAndConquer(3, 1, 9, 0.1).minWorkers()).isEqualTo(7);
    }

    @Test
    void refusesParametersOutOfRange() {
        assertThatThrownBy(() -> new DivideAndConquer(1, 0, 1, 1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new DivideAndConquer(1, 1, 0, 1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new DivideAndConquer(1, 1, 1, 0)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new DivideAndConquer(1, 1, 1, Double.NaN)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new DivideAndConquer(-1, 1, 1, 1)).isInstanceOf(InputException.class);
    }

    @Test
    void saysWhoWasDroppedIfAnybody() {
        double[][] x = {{0, 1}, {1, 0}, {0, 0}, {1, 1}, {50, 50}};
        assertThat(new DivideAndConquer(1, 1, 2, 1).aggregate(Round.of(x)).explanation())
                .startsWith("dropped [4]: scores from 1.000 of the largest, kept up to ");
        assertThat(new DivideAndConquer(0, 1, 2, 1).aggregate(Round.of(x)).explanation())
                .isEqualTo("all kept");
    }
}
