package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MinimumDiameterAveragingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new MinimumDiameterAveraging(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** One of the kept is honest, the others are as near to it as the honest to each other. */
    @Override
    protected double growth(int workers, int length) {
        return 3;
    }

    private static double distance(double[] a, double[] b) {
        double[] difference = a.clone();
        Vectors.addScaled(difference, -1, b, b.length);
        return Vectors.norm(difference);
    }

    private static double diameter(double[][] x, int[] set) {
        return Arrays.stream(set)
                .mapToDouble(i -> Arrays.stream(set)
                        .mapToDouble(j -> distance(x[i], x[j]))
                        .max()
                        .orElseThrow())
                .max()
                .orElseThrow();
    }

    private static double sum(double[][] x, int[] set) {
        return Arrays.stream(set)
                .mapToDouble(i -> Arrays.stream(set)
                        .mapToDouble(j -> distance(x[i], x[j]))
                        .sum())
                .sum();
    }

    /** Smallest diameter, then smallest sum, then lowest ids, of all sets. */
    private static int[] bruteForce(double[][] x, int f) {
        int[] best = null;
        for (int bits = 0; bits < 1 << x.length; bits++) {
            if (Integer.bitCount(bits) == x.length - f) {
                int mask = bits;
                int[] set = IntStream.range(0, x.length)
                        .filter(i -> (mask >> i & 1) == 1)
                        .toArray();
                if (best == null || better(x, set, best)) {
                    best = set;
                }
            }
        }
        return best;
    }

    /** Sums of roots that are equal to one's eye may differ by their rounding. */
    private static boolean better(double[][] x, int[] set, int[] best) {
        double diameter = diameter(x, set) - diameter(x, best);
        double sum = sum(x, set) - sum(x, best);
        boolean equalSums = Math.abs(sum) <= 1e-12 * sum(x, best);
        return diameter < 0 || diameter == 0 && (equalSums ? Arrays.compare(set, best) < 0 : sum < 0);
    }

    @Test
    void isTheSubsetThatBruteForceFinds() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(4);
            double[][] x = new double[2 * f + 1 + random.nextInt(3)][];
            int length = 1 + random.nextInt(3);
            Arrays.setAll(x, i -> random.gaussians(length));
            assertThat(new MinimumDiameterAveraging(f).aggregate(Round.of(x)).kept())
                    .isEqualTo(bruteForce(x, f));
        });
    }

    /** On a line all sums are exact; in the plane the same roots are summed in different orders. */
    @Test
    void amongManyEqualDistancesTooItIsTheSubsetThatBruteForceFinds() {
        Laws.check(600, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(5);
            double[][] x = new double[2 * f + 1 + random.nextInt(3)][1 + random.nextInt(2)];
            int sides = 2 + random.nextInt(4);
            for (double[] v : x) {
                Arrays.setAll(v, k -> random.nextInt(sides));
            }
            assertThat(new MinimumDiameterAveraging(f).aggregate(Round.of(x)).kept())
                    .isEqualTo(bruteForce(x, f));
        });
    }

    /** Equal updates of which most may go: C(60, 29) is 1e17. */
    @Test
    void manyEqualDistancesNeedNoEnumeration() {
        double[][] twoPoints = new double[60][1];
        for (int i = 0; i < 30; i++) {
            twoPoints[2 * i][0] = 1;
        }
        // Of either side twenty-nine may go; the lower id stays.
        int[] oneAndAllOthers =
                IntStream.range(0, 60).filter(i -> i % 2 == 0 || i == 1).toArray();
        assertThat(new MinimumDiameterAveraging(29)
                        .aggregate(Round.of(twoPoints))
                        .kept())
                .isEqualTo(oneAndAllOthers);
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double[][] lattice = new double[60][3];
            for (double[] v : lattice) {
                Arrays.setAll(v, k -> random.nextInt(4));
            }
            assertThat(new MinimumDiameterAveraging(15)
                            .aggregate(Round.of(lattice))
                            .kept())
                    .hasSize(45);
        });
    }

    @Test
    void ofEqualDiametersTheSmallerSumWinsAndThenTheLowerIds() {
        double[][] x = {{0}, {9}, {10}, {1}, {6}, {19}};
        assertThat(new MinimumDiameterAveraging(2).aggregate(Round.of(x)).kept())
                .containsExactly(1, 2, 3, 4);
        double[][] tied = {{0}, {6}, {10}, {16}};
        assertThat(new MinimumDiameterAveraging(1).aggregate(Round.of(tied)).kept())
                .containsExactly(0, 1, 2);
    }

    /** C(60, 15) is 5e13. */
    @Test
    void fifteenLiarsOfSixtyNeedNoEnumeration() {
        Laws.check(5, seed -> {
            Randomness random = seed.random();
            double[][] spread = new double[60][];
            Arrays.setAll(spread, i -> random.gaussians(1 + (int) (seed.value() & 31)));
            assertThat(new MinimumDiameterAveraging(15)
                            .aggregate(Round.of(spread))
                            .kept())
                    .hasSize(45);
            int[] liars = random.choose(15, 60);
            for (int liar : liars) {
                spread[liar] = Vectors.scaled(Math.pow(10, 2 + random.nextInt(200)), spread[liar]);
            }
            assertThat(new MinimumDiameterAveraging(15)
                            .aggregate(Round.of(spread))
                            .kept())
                    .doesNotContain(liars);
        });
        double[][] same = new double[60][1];
        assertThat(new MinimumDiameterAveraging(15).aggregate(Round.of(same)).kept())
                .isEqualTo(IntStream.range(0, 45).toArray());
    }

    @Test
    void tooHardAChoiceIsRefusedWithTheCount() {
        // Sixty pairs of opposite corners: of every pair one must go, whichever.
        double[][] corners = new double[120][60];
        for (int i = 0; i < 60; i++) {
            corners[2 * i][i] = 1;
            corners[2 * i + 1][i] = -1;
        }
        double[][] x = Arrays.copyOf(corners, 121);
        x[120] = new double[60];
        assertThatThrownBy(() -> new MinimumDiameterAveraging(60).aggregate(Round.of(x)))
                .isInstanceOf(InputException.class)
                .hasMessage("mda: no answer after 4000000 steps for 121 updates and f = 60; "
                        + "use a smaller f or another rule");
    }
}
