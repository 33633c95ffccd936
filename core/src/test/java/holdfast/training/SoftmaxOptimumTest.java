package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.testkit.Samples;
import org.junit.jupiter.api.Test;

/** Rounds of the real loop end where Newton's method, written down once more and densely, ends. */
class SoftmaxOptimumTest {
    private static final int K = 3;
    private static final int D = 2;
    private static final double L2 = 0.1;
    private static final int SIZE = K * (D + 1);

    private final Dataset data = Samples.classes(Seed.of(1), 400, D, K, 0);

    @Test
    void penalisedSoftmaxRegressionIsTheMinimiser() {
        Plan plan = Plan.defaults()
                .with("workers", "4")
                .with("screened", "0")
                .with("lambda", "none")
                .with("l2", "0.1")
                .with("scale", "none")
                .with("test-share", "0")
                .with("tolerance", "0")
                .with("rounds", "400");
        assertThat(PreparedData.of(data, plan).train(plan)).containsExactly(newton(), within(1e-6));
    }

    /** Parameter c (D + 1) + i is class c's weight of feature i, the intercept at i = D. */
    private double[] newton() {
        double[] t = new double[SIZE];
        for (int step = 0; step < 20; step++) {
            double[] gradient = new double[SIZE];
            double[][] hessian = new double[SIZE][SIZE];
            for (int r = 0; r < data.rows(); r++) {
                double[] x = {data.row(r)[0], data.row(r)[1], 1};
                double[] p = new double[K];
                double sum = 0;
                for (int c = 0; c < K; c++) {
                    p[c] = Math.exp(t[3 * c] * x[0] + t[3 * c + 1] * x[1] + t[3 * c + 2]);
                    sum += p[c];
                }
                for (int a = 0; a < SIZE; a++) {
                    double pa = p[a / 3] / sum;
                    gradient[a] += (pa - (data.label(r) == a / 3 ? 1 : 0)) * x[a % 3] / data.rows();
                    for (int b = 0; b < SIZE; b++) {
                        double pb = p[b / 3] / sum;
                        hessian[a][b] += pa * ((a / 3 == b / 3 ? 1 : 0) - pb) * x[a % 3] * x[b % 3] / data.rows();
                    }
                }
            }
            for (int a = 0; a < SIZE; a++) {
                if (a % 3 < D) {
                    gradient[a] += L2 * t[a];
                    hessian[a][a] += L2;
                } else {
                    // Intercepts that all grow alike change nothing: among the minimisers the one whose sum is 0.
                    for (int b = D; b < SIZE; b += 3) {
                        hessian[a][b] += 1;
                    }
                }
            }
            double[] move = solve(hessian, gradient);
            for (int a = 0; a < SIZE; a++) {
                t[a] -= move[a];
            }
        }
        double[] theta = new double[SIZE];
        for (int c = 0; c < K; c++) {
            theta[2 * c] = t[3 * c];
            theta[2 * c + 1] = t[3 * c + 1];
            theta[K * D + c] = t[3 * c + 2];
        }
        return theta;
    }

    /** Gauss's elimination; a positive definite matrix needs no pivots. */
    private static double[] solve(double[][] a, double[] b) {
        int n = b.length;
        for (int i = 0; i < n; i++) {
            for (int r = i + 1; r < n; r++) {
                double factor = a[r][i] / a[i][i];
                for (int c = i; c < n; c++) {
                    a[r][c] -= factor * a[i][c];
                }
                b[r] -= factor * b[i];
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int c = i + 1; c < n; c++) {
                b[i] -= a[i][c] * b[c];
            }
            b[i] /= a[i][i];
        }
        return b;
    }
}
