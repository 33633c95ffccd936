package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SpectralNormTest {
    private static double exact(double[] w, int rows, int columns) {
        double[][] gram = new double[rows][rows];
        for (int a = 0; a < rows; a++) {
            for (int b = 0; b < rows; b++) {
                gram[a][b] = Vectors.dot(w, a * columns, w, b * columns, columns);
            }
        }
        return Math.sqrt(Math.max(0, SymmetricEigen.of(gram).values()[0]));
    }

    @Test
    void theBoundIsAboveTheLargestSingularValueAndCloseToIt() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(20);
            int columns = 1 + random.nextInt(30);
            double[] w = random.gaussians(rows * columns);
            double size = Math.pow(10, 12 * random.nextDouble() - 6);
            for (int i = 0; i < w.length; i++) {
                w[i] *= random.nextInt(5) == 0 ? 0 : size * (1 + i % columns % 3);
            }
            double exact = exact(w, rows, columns);
            Matrix matrix = Matrix.of(w, 0, rows, columns);
            double least = Math.pow(Math.min(rows, columns), 1.0 / 128);
            assertThat(SpectralNorm.bound(matrix)).isBetween(exact * (1 - 1e-13), exact * least * (1 + 1e-8));
            assertThat(SpectralNorm.bound(matrix.transposed()))
                    .isBetween(exact * (1 - 1e-13), exact * least * (1 + 1e-8));
        });
    }

    @Test
    void largeAndEmptyMatricesHaveOneToo() {
        double[] ones = new double[300 * 400];
        Arrays.fill(ones, 1);
        double exact = Math.sqrt(300 * 400);
        assertThat(SpectralNorm.bound(Matrix.of(ones, 0, 300, 400))).isBetween(exact, exact * (1 + 1e-9));
        for (double size : new double[] {1e-300, 1e-170, 1e170, 1e300}) {
            double[] small = new double[6];
            Arrays.fill(small, size);
            assertThat(SpectralNorm.bound(Matrix.of(small, 0, 2, 3)) / size)
                    .isBetween(Math.sqrt(6), Math.sqrt(6) * (1 + 1e-9));
        }
        assertThat(SpectralNorm.bound(Matrix.of(new double[6], 0, 2, 3))).isZero();
        assertThat(SpectralNorm.bound(Matrix.of(new double[0], 0, 0, 3))).isZero();
    }
}
