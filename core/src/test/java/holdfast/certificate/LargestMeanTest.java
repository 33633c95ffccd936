package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.SymmetricEigen;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LargestMeanTest {
    /** Vectors of many kinds: like each other, in groups, some long, some zero, some equal, far from the origin. */
    private static double[][] vectors(int m, int d, Randomness random) {
        int kind = random.nextInt(8);
        double[] far = random.gaussians(d);
        double[][] g = new double[m][];
        for (int i = 0; i < m; i++) {
            double[] own = random.gaussians(d);
            double factor = switch (kind) {
                case 1 -> StrictMath.exp(3 * random.nextGaussian());
                case 2 -> i % 3 == 0 ? 0 : 1;
                case 3 -> i < 2 ? 1e150 : 1;
                case 4 -> 1e-160;
                case 7 -> i % 2 == 0 ? 1e-200 : i == 1 ? 1e300 : 1;
                default -> 1;
            };
            Arrays.setAll(own, j -> factor * own[j]);
            if (kind == 5) {
                Arrays.setAll(own, j -> own[j] + 1e6 * far[j]);
            }
            g[i] = kind == 6 && i > 0 && i % 2 == 0 ? g[i - 1].clone() : own;
        }
        return g;
    }

    /** The largest mean over all sets, each summed from the start. */
    private static double bruteForce(double[][] g, int left) {
        int m = g.length;
        return IntStream.range(0, 1 << m)
                .filter(set -> Integer.bitCount(set) == m - left)
                .mapToDouble(set -> {
                    double[] mean = new double[g[0].length];
                    for (int i = 0; i < m; i++) {
                        if ((set >> i & 1) == 1) {
                            for (int j = 0; j < mean.length; j++) {
                                mean[j] += g[i][j] / (m - left);
                            }
                        }
                    }
                    return Vectors.norm(mean);
                })
                .max()
                .orElseThrow();
    }

    @Test
    void isTheLargestOfAllSets() {
        Laws.check(400, seed -> {
            Randomness random = seed.random();
            int m = 1 + random.nextInt(11);
            double[][] g = vectors(m, 1 + random.nextInt(8), random);
            int left = random.nextInt(m);
            double exact = bruteForce(g, left);
            LargestMean found = LargestMean.of(g, left, Integer.MAX_VALUE);
            assertThat(found.exact()).isTrue();
            assertThat(found.upper()).isGreaterThanOrEqualTo(exact).isCloseTo(exact, within(1e-6 * exact));
            assertThat(found.lower()).isLessThanOrEqualTo(exact * (1 + 1e-15)).isCloseTo(exact, within(1e-6 * exact));
        });
    }

    @Test
    void aStoppedSearchBoundsAllSets() {
        Laws.check(150, seed -> {
            Randomness random = seed.random();
            int m = 4 + random.nextInt(8);
            double[][] g = vectors(m, 1 + random.nextInt(8), random);
            int left = 2 + random.nextInt(m - 3);
            double exact = bruteForce(g, left);
            double before = Double.POSITIVE_INFINITY;
            for (int nodes : new int[] {0, 1, 2, 3, 5, 10, 100, 10_000}) {
                LargestMean found = LargestMean.of(g, left, nodes);
                assertThat(found.upper()).isGreaterThanOrEqualTo(exact).isLessThanOrEqualTo(before);
                assertThat(found.lower()).isLessThanOrEqualTo(exact * (1 + 1e-15));
                assertThat(found.nodes()).isLessThanOrEqualTo(nodes);
                before = found.upper();
            }
            assertThat(LargestMean.simpleBound(g, left)).isGreaterThanOrEqualTo(exact);
        });
    }

    @Test
    void knownValues() {
        double[][] g = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        // Leaving out two neighbours leaves two that are orthogonal: ||(1, 1)||/2.
        assertThat(LargestMean.of(g, 2, 100).upper()).isCloseTo(Math.sqrt(2) / 2, within(1e-8));
        assertThat(LargestMean.of(g, 1, 100).upper()).isCloseTo(1.0 / 3, within(1e-8));
        assertThat(LargestMean.of(g, 0, 100).upper()).isCloseTo(0, within(1e-12));
        assertThat(LargestMean.simpleBound(g, 2)).isCloseTo(1, within(1e-12));
        assertThat(LargestMean.of(new double[4][3], 2, 100)).isEqualTo(new LargestMean(0, 0, true, 0));
        assertThatThrownBy(() -> LargestMean.of(g, 4, 100))
                .isInstanceOf(InputException.class)
                .hasMessage("fewer vectors must be left out than there are, got 4 of 4");
    }

    /** Of 1,000 choose 3, or 166 million sets, few are looked at. */
    @Test
    void aThousandWorkersAreFew() {
        Randomness random = Seed.of(5).random();
        double[][] g =
                IntStream.range(0, 1000).mapToObj(i -> random.gaussians(57)).toArray(double[][]::new);
        LargestMean found = LargestMean.of(g, 3, 500);
        assertThat(found.upper()).isBetween(found.lower(), 1.02 * found.lower());
    }

    @Test
    void diagonalsDominateTheProducts() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int m = 1 + random.nextInt(12);
            int d = 1 + random.nextInt(12);
            double[][] h = IntStream.range(0, m)
                    .mapToObj(i -> Vectors.scaled(StrictMath.exp(2 * random.nextGaussian()), random.gaussians(d)))
                    .toArray(double[][]::new);
            for (int p = 0; p <= 2; p++) {
                double[] diagonal = LargestMean.diagonal(h, p);
                double[][] gap = new double[m][m];
                for (int i = 0; i < m; i++) {
                    for (int j = 0; j < m; j++) {
                        gap[i][j] = (i == j ? diagonal[i] : 0) - Vectors.dot(h[i], h[j], d);
                    }
                }
                double size = Arrays.stream(diagonal).max().orElseThrow();
                double least = SymmetricEigen.of(gap).values()[m - 1];
                assertThat(least).isBetween(-1e-12 * size, 0.07 * size);
            }
        });
    }

    @Test
    void theEigenvalueIsBoundedFromAbove() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(20);
            int rank = 1 + random.nextInt(n + 3);
            double[][] x =
                    IntStream.range(0, rank).mapToObj(i -> random.gaussians(n)).toArray(double[][]::new);
            double[][] matrix = new double[n][n];
            for (double[] row : x) {
                for (int i = 0; i < n; i++) {
                    Vectors.addScaled(matrix[i], row[i], row, n);
                }
            }
            double exact = SymmetricEigen.of(matrix).values()[0];
            assertThat(LargestEigenvalue.bound(matrix, rank)).isBetween(exact, 1.07 * exact);
        });
    }

    /** The start of the power iteration is no eigenvector of the largest value by accident: here it is orthogonal to it. */
    @Test
    void anUnluckyStartOnlyLoosensTheEigenvalue() {
        // x0 = (1, 1.5), so the first eigenvector (1.5, -1)/norm is never seen.
        double a = 1.5 * 1.5 / 3.25;
        double b = -1.5 / 3.25;
        double c = 1 / 3.25;
        double[][] matrix = {{10 * a + c, 9 * b}, {9 * b, 10 * c + a}};
        assertThat(LargestEigenvalue.bound(matrix, 2)).isBetween(10.0, 11.1);
    }
}
