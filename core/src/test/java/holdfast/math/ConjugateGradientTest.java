package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;

class ConjugateGradientTest {
    @Test
    void solvesWhatWasMultiplied() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(15);
            double[][] root = new double[n + 3][];
            for (int i = 0; i < root.length; i++) {
                root[i] = random.gaussians(n);
            }
            double[] truth = random.gaussians(n);
            double[] x = ConjugateGradient.solve(v -> product(root, v), product(root, truth), 1e-14, 20 * n);
            assertThat(x).containsExactly(truth, within(1e-6));
        });
    }

    /** (R^T R + I) v */
    private static double[] product(double[][] root, double[] v) {
        double[] out = v.clone();
        for (double[] row : root) {
            Vectors.addScaled(out, Vectors.dot(row, v, v.length), row, v.length);
        }
        return out;
    }

    @Test
    void nothingIsSolvedByNothingAndTheLimitHolds() {
        assertThat(ConjugateGradient.solve(v -> v.clone(), new double[3], 1e-10, 10))
                .containsOnly(0);
        int[] asked = new int[1];
        ConjugateGradient.solve(
                v -> {
                    asked[0]++;
                    return new double[] {v[0], 1000 * v[1], 7 * v[2]};
                },
                new double[] {1, 1, 1},
                0,
                2);
        assertThat(asked[0]).isEqualTo(2);
    }
}
