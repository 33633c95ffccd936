package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.SymmetricEigen;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SmeaTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Smea(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** The chosen spread no more than the honest, and n - 2f &gt;= 1 of n - f of them are honest. */
    @Override
    protected double growth(int workers, int length) {
        return 1 + Math.sqrt(workers / 2.0);
    }

    /** The top eigenvalue of the covariance itself, by many products with a vector. */
    private static double top(double[][] g) {
        int d = g[0].length;
        double[] mean = Mean.of(Round.of(g).updates());
        double[] v = new double[d];
        Arrays.setAll(v, k -> 1 + 0.1 * k);
        double l = 0;
        for (int turn = 0; turn < 300; turn++) {
            double[] next = new double[d];
            for (double[] x : g) {
                double[] gap = x.clone();
                Vectors.addScaled(gap, -1, mean, d);
                Vectors.addScaled(next, Vectors.dot(gap, v, d) / g.length, gap, d);
            }
            l = Vectors.norm(next);
            v = Vectors.scaled(1 / l, next);
        }
        return l;
    }

    private static double[][] chosen(double[][] g, int[] which) {
        return Arrays.stream(which).mapToObj(i -> g[i]).toArray(double[][]::new);
    }

    @Test
    void noOtherSetSpreadsLess() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(4);
            int n = 2 * f + 1 + random.nextInt(3);
            int d = 1 + random.nextInt(6);
            double[][] g = new double[n][];
            Arrays.setAll(g, i -> Vectors.scaled(1 + random.nextInt(3), random.gaussians(d)));
            int[] kept = new Smea(f).aggregate(Round.of(g)).kept();
            double least = IntStream.range(0, 1 << n)
                    .filter(bits -> Integer.bitCount(bits) == n - f)
                    .mapToDouble(bits -> top(chosen(
                            g,
                            IntStream.range(0, n)
                                    .filter(i -> (bits >> i & 1) == 1)
                                    .toArray())))
                    .min()
                    .orElseThrow();
            assertThat(kept).hasSize(n - f);
            assertThat(top(chosen(g, kept))).isCloseTo(least, within(1e-9 * least));
        });
    }

    @Test
    void leavesOutLiarsOfVeryDifferentSizes() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            double[][] g = new double[9][];
            Arrays.setAll(g, i -> random.gaussians(5));
            g[1][4] = 1e300;
            g[6][0] = -1e3;
            g[8][2] = 1e100;
            Aggregate made = new Smea(3).aggregate(Round.of(g));
            assertThat(made.kept()).containsExactly(0, 2, 3, 4, 5, 7);
            assertThat(made.explanation()).startsWith("left out [1, 6, 8]: deviation ");
        });
    }

    @Test
    void refusesMoreSetsThanItCanSearchAndSaysHowMany() {
        assertThatThrownBy(() -> new Smea(9).requireServes(25))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "smea searches at most 1000000 sets of updates, but 16 of 25 can be chosen in 2042975 ways");
        new Smea(7).requireServes(25);
    }

    /** On a line the deviation is the standard deviation: of 0, 1, 2 sqrt(2/3), of all four 42.87. */
    @Test
    void saysTheDeviationOfWhatItKeptAndOfAll() {
        assertThat(new Smea(1)
                        .aggregate(Round.of(new double[][] {{0}, {1}, {2}, {100}}))
                        .explanation())
                .isEqualTo("left out [3]: deviation 0.8165, 42.87 of all");
        assertThat(new Smea(0).aggregate(Round.of(new double[][] {{0}, {100}})).explanation())
                .isEqualTo("all kept");
    }

    /** Small rounds of whole numbers, in which sets that are no update with its nearest ones are often the best. */
    @Test
    void theBestSetNeedNotBeAnUpdateWithItsNearest() {
        int[] others = new int[1];
        Laws.check(1500, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(3);
            int n = 2 * f + 1 + random.nextInt(2);
            int d = 2 + random.nextInt(3);
            double[][] g = new double[n][d];
            for (double[] own : g) {
                Arrays.setAll(own, k -> random.nextInt(9));
            }
            int[] kept = new Smea(f).aggregate(Round.of(g)).kept();
            double least = Double.POSITIVE_INFINITY;
            for (int bits = 0; bits < 1 << n; bits++) {
                if (Integer.bitCount(bits) == n - f) {
                    least = Math.min(least, exactTop(chosen(g, members(bits, n))));
                }
            }
            assertThat(exactTop(chosen(g, kept))).isCloseTo(least, within(1e-9 * (1 + least)));
            double[][] distances = Distances.among(Round.of(g)).matrix();
            others[0] += Arrays.stream(distances).anyMatch(row -> Arrays.equals(Distances.nearest(row, n - f), kept))
                    ? 0
                    : 1;
        });
        assertThat(others[0]).as("best sets around nobody").isGreaterThan(20);
    }

    private static int[] members(int bits, int n) {
        return IntStream.range(0, n).filter(i -> (bits >> i & 1) == 1).toArray();
    }

    /** The largest eigenvalue of the covariance matrix itself. */
    private static double exactTop(double[][] g) {
        int d = g[0].length;
        double[] mean = Mean.of(Round.of(g).updates());
        double[][] covariance = new double[d][d];
        for (double[] x : g) {
            double[] gap = x.clone();
            Vectors.addScaled(gap, -1, mean, d);
            for (int k = 0; k < d; k++) {
                Vectors.addScaled(covariance[k], gap[k] / g.length, gap, d);
            }
        }
        return SymmetricEigen.of(covariance).values()[0];
    }
}
