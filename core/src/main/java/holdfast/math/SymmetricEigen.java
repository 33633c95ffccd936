package holdfast.math;

import java.util.Arrays;
import java.util.Comparator;

/**
 * All eigenpairs of a symmetric matrix by cyclic Jacobi rotations (Jacobi 1846; Golub, Van Loan 2013, section 8.5).
 * Slow for large matrices; for a few dozen rows it is accurate and every bit is fixed.
 *
 * @param values in descending order
 * @param vectors one unit vector per value; its first component of largest size is positive
 */
public record SymmetricEigen(double[] values, double[][] vectors) {
    /** Convergence is quadratic: in practice six or seven sweeps are enough for any size. */
    private static final int SWEEPS = 50;

    /**
     * Computes all eigenpairs.
     *
     * @param matrix symmetric and finite; not written
     */
    public static SymmetricEigen of(double[][] matrix) {
        int n = matrix.length;
        double max = 0;
        for (double[] row : matrix) {
            max = Math.max(max, Vectors.maxAbs(row, n));
        }
        // Products of entries must neither overflow nor underflow; a power of two scales exactly.
        int exponent = Math.getExponent(max);
        double[][] a = new double[n][n];
        double[][] vectors = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = Math.scalb(matrix[i][j], -exponent);
            }
            vectors[i][i] = 1;
        }
        int sweeps = 0;
        while (sweep(a, vectors) && sweeps < SWEEPS) {
            sweeps++;
        }
        Integer[] order = new Integer[n];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> -a[i][i]));
        double[] values = new double[n];
        double[][] sorted = new double[n][];
        for (int k = 0; k < n; k++) {
            values[k] = Math.scalb(a[order[k]][order[k]], exponent);
            sorted[k] = oriented(vectors[order[k]]);
        }
        return new SymmetricEigen(values, sorted);
    }

    /** Rotates every pair of axes with an entry that is not negligible; returns whether there was one. */
    private static boolean sweep(double[][] a, double[][] vectors) {
        boolean turned = false;
        for (int p = 0; p < a.length; p++) {
            for (int q = p + 1; q < a.length; q++) {
                // Entries were below 2 at the start: one this small moves no value by half a unit in the last place.
                if (Math.abs(a[p][q]) > 0x1p-60) {
                    turn(a, vectors, p, q);
                    turned = true;
                }
            }
        }
        return turned;
    }

    /** Rotates axes p and q so that their entry becomes 0, by the smaller of the two possible angles. */
    private static void turn(double[][] a, double[][] vectors, int p, int q) {
        double cot = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double tan = Math.copySign(1, cot) / (Math.abs(cot) + Math.sqrt(cot * cot + 1));
        double cos = 1 / Math.sqrt(tan * tan + 1);
        double sin = tan * cos;
        double moved = tan * a[p][q];
        a[p][p] -= moved;
        a[q][q] += moved;
        a[p][q] = 0;
        a[q][p] = 0;
        for (int i = 0; i < a.length; i++) {
            if (i != p && i != q) {
                double ip = a[p][i];
                double iq = a[q][i];
                a[p][i] = cos * ip - sin * iq;
                a[q][i] = sin * ip + cos * iq;
                a[i][p] = a[p][i];
                a[i][q] = a[q][i];
            }
            double vp = vectors[p][i];
            double vq = vectors[q][i];
            vectors[p][i] = cos * vp - sin * vq;
            vectors[q][i] = sin * vp + cos * vq;
        }
    }

    private static double[] oriented(double[] vector) {
        double largest = 0;
        for (double x : vector) {
            largest = Math.abs(x) > Math.abs(largest) ? x : largest;
        }
        return largest < 0 ? Vectors.scaled(-1, vector) : vector;
    }
}
