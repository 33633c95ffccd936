package holdfast.model;

import holdfast.Seed;
import holdfast.data.Block;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Estimates L_zz, the Lipschitz constant of grad_z f in z, from below: by power iteration for the largest eigenvalue, by
 * size, of the Hessian in the row, at given rows. A product of the Hessian with v, ||v|| = 1, is no longer than L_zz, and so are
 * differences of gradients in its place; so no step of the iteration overestimates, but for rounding. Elsewhere the curvature can be
 * larger: what is found is no bound.
 */
public final class RowCurvature {
    private static final int STEPS = 50;

    private static final Seed SEED = Seed.of(1).child("row curvature");

    private RowCurvature() {}

    /**
     * Returns the largest that was found at any row of the block.
     *
     * @param units of the features, in which distances between rows are measured; 0 for a feature that never moves
     */
    public static double largest(Model model, double[] theta, Block block, double[] units) {
        int d = block.columns();
        double[] direction = new double[block.rows() * d];
        for (int j = 0; j < block.rows(); j++) {
            System.arraycopy(SEED.child("row", j).random().gaussians(d), 0, direction, j * d, d);
        }
        Model.RowHessian hessian = model.rowHessian(theta, d);
        double[] v = new double[direction.length];
        double most = 0;
        for (int step = 0; step < STEPS; step++) {
            normalise(direction, d);
            for (int i = 0; i < v.length; i++) {
                v[i] = units[i % d] * direction[i];
            }
            hessian.times(block, v, direction);
            for (int i = 0; i < direction.length; i++) {
                direction[i] *= units[i % d];
            }
            for (int j = 0; j < block.rows(); j++) {
                most = Math.max(most, length(direction, j, d));
            }
        }
        return most;
    }

    /** Gives each row the length 1; where the curvature is 0 the row stays 0. */
    private static void normalise(double[] rows, int d) {
        for (int j = 0; j < rows.length / d; j++) {
            double length = length(rows, j, d);
            for (int i = 0; length > 0 && i < d; i++) {
                rows[j * d + i] /= length;
            }
        }
    }

    private static double length(double[] rows, int j, int d) {
        return Vectors.norm(Arrays.copyOfRange(rows, j * d, (j + 1) * d));
    }
}
