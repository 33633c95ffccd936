package holdfast.certificate;

import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * A number that is certainly not below the largest eigenvalue of a positive semidefinite matrix, and hardly above it.
 *
 * <p>Power iteration approaches the eigenvalue from below, which bounds nothing. So its result is raised until t I - A has a
 * Cholesky decomposition, which proves t to be an upper bound: one that ends in floating point is the exact one of a matrix
 * that differs by at most about n u trace(t I - A) (Higham 2002, Theorem 10.3).
 */
final class LargestEigenvalue {
    private static final int ITERATIONS = 40;
    private static final double FIRST_RISE = 0x1p-10;

    private LargestEigenvalue() {}

    /**
     * Returns the bound.
     *
     * @param matrix the lower triangle is read
     * @param summed how many terms each entry was summed from, which bounds its rounding error
     */
    static double bound(double[][] matrix, int summed) {
        int n = matrix.length;
        double trace = 0;
        for (int i = 0; i < n; i++) {
            trace += matrix[i][i];
        }
        double found = trace;
        double below = powerIteration(matrix);
        for (double rise = FIRST_RISE; below * (1 + rise) < trace; rise *= 2) {
            if (isPositiveDefinite(below * (1 + rise), matrix)) {
                found = below * (1 + rise);
                break;
            }
        }
        // Entries and decomposition are off by (summed + n + 1) u trace together, and trace <= n times the eigenvalue.
        return found * (1 + n * (n + summed + 1.0) * 0x1p-50);
    }

    /** Returns ||A x||/||x|| for an x near the first eigenvector. */
    private static double powerIteration(double[][] matrix) {
        int n = matrix.length;
        double[] x = new double[n];
        // A start of equal entries could be orthogonal to the eigenvector; only how long this takes depends on it.
        Arrays.setAll(x, i -> 1 + (double) i / n);
        double length = 0;
        for (int step = 0; step < ITERATIONS; step++) {
            double[] unit = Vectors.unit(x);
            double[] next = new double[n];
            for (int i = 0; i < n; i++) {
                next[i] += Vectors.dot(matrix[i], unit, i + 1);
                Vectors.addScaled(next, unit[i], matrix[i], i);
            }
            length = Vectors.norm(next);
            x = next;
        }
        return length;
    }

    /** Returns whether t I - A has a Cholesky decomposition. */
    private static boolean isPositiveDefinite(double t, double[][] matrix) {
        int n = matrix.length;
        double[][] lower = new double[n][];
        for (int i = 0; i < n; i++) {
            lower[i] = new double[i + 1];
            for (int j = 0; j < i; j++) {
                lower[i][j] = (-matrix[i][j] - Vectors.dot(lower[i], lower[j], j)) / lower[j][j];
            }
            double pivot = t - matrix[i][i] - Vectors.dot(lower[i], lower[i], i);
            if (!(pivot > 0)) {
                return false;
            }
            lower[i][i] = Math.sqrt(pivot);
        }
        return true;
    }
}
