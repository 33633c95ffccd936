package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SymmetricEigenTest {
    private static double[][] symmetric(Randomness random, int n, double scale) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                a[i][j] = scale * random.nextGaussian();
                a[j][i] = a[i][j];
            }
        }
        return a;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1e-300, 1e300})
    void pairsAreOrthonormalDescendingAndSolveTheEquation(double scale) {
        for (int size = 1; size <= 40; size++) {
            int n = size;
            Laws.check(3, seed -> {
                double[][] a = symmetric(seed.child("n", n).random(), n, scale);
                SymmetricEigen eigen = SymmetricEigen.of(a);
                for (int k = 0; k < n; k++) {
                    double[] v = eigen.vectors()[k];
                    for (int j = 0; j < n; j++) {
                        assertThat(Vectors.dot(v, eigen.vectors()[j], n)).isCloseTo(j == k ? 1 : 0, within(1e-13));
                        assertThat(Vectors.dot(a[j], v, n))
                                .isCloseTo(eigen.values()[k] * v[j], within(1e-13 * n * scale));
                    }
                    assertThat(k == 0 || eigen.values()[k] <= eigen.values()[k - 1])
                            .isTrue();
                    assertThat(Arrays.stream(v).max().orElseThrow()).isEqualTo(Vectors.maxAbs(v, n));
                }
            });
        }
    }

    @Test
    void knownMatrices() {
        SymmetricEigen two = SymmetricEigen.of(new double[][] {{2, -1}, {-1, 2}});
        assertThat(two.values()).containsExactly(new double[] {3, 1}, within(1e-15));
        assertThat(two.vectors()[0]).containsExactly(new double[] {Math.sqrt(0.5), -Math.sqrt(0.5)}, within(1e-15));
        // The second difference on a path of n points has 2 - 2 cos(k pi / (n+1)).
        int n = 12;
        double[][] path = new double[n][n];
        for (int i = 0; i < n; i++) {
            path[i][i] = 2;
            if (i > 0) {
                path[i][i - 1] = -1;
                path[i - 1][i] = -1;
            }
        }
        double[] values = SymmetricEigen.of(path).values();
        for (int k = 1; k <= n; k++) {
            assertThat(values[n - k]).isCloseTo(2 - 2 * Math.cos(k * Math.PI / (n + 1)), within(1e-14));
        }
    }

    @Test
    void equalValuesAndZerosAreBorne() {
        double[][] ones = new double[5][5];
        for (double[] row : ones) {
            Arrays.fill(row, 1);
        }
        assertThat(SymmetricEigen.of(ones).values()).containsExactly(new double[] {5, 0, 0, 0, 0}, within(1e-14));
        double[][] identity = {{1, 0}, {0, 1}};
        assertThat(SymmetricEigen.of(identity).vectors()).isDeepEqualTo(identity);
        assertThat(SymmetricEigen.of(new double[3][3]).values()).containsExactly(0, 0, 0);
        assertThat(SymmetricEigen.of(new double[][] {{-7}}).values()).containsExactly(-7);
    }

    @Test
    void theMatrixIsNotWritten() {
        double[][] a = {{1, 2}, {2, 3}};
        SymmetricEigen.of(a);
        assertThat(a).isDeepEqualTo(new double[][] {{1, 2}, {2, 3}});
    }
}
