package holdfast.model;

import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Estimates L_zz, the Lipschitz constant of grad_z f in z, from below: by power iteration for the largest eigenvalue, by
 * size, of the Hessian in the row, at given rows. A product of the Hessian with v, ||v|| = 1, is (grad f(z + hv) - grad
 * f(z - hv)) / 2h, whose length is at most L_zz whatever h is; so no step of the iteration overestimates, but for
 * rounding. Elsewhere the curvature can be larger: what is found is no bound.
 */
public final class RowCurvature {
    private static final int STEPS = 50;
    /** h: far above the rounding of scaled features, and the curvature hardly changes within it. */
    private static final double STEP = 1e-4;

    private static final Seed SEED = Seed.of(1).child("row curvature");

    private RowCurvature() {}

    /**
     * Returns the largest that was found at any row of the block.
     *
     * @param units of the features, in which distances between rows are measured; 0 for a feature that never moves
     */
    public static double largest(Model model, double[] theta, Block block, double[] units) {
        int d = block.columns();
        double[] x = block.filled("use --lambda none");
        double[] direction = new double[x.length];
        for (int j = 0; j < block.rows(); j++) {
            System.arraycopy(SEED.child("row", j).random().gaussians(d), 0, direction, j * d, d);
        }
        Model.RowGradient gradient = model.rowGradient(theta, d);
        double[] z = new double[x.length];
        Block moved = new DenseBlock(d, z, block.labels(), null);
        double[] ahead = new double[x.length];
        double[] behind = new double[x.length];
        double most = 0;
        for (int step = 0; step < STEPS; step++) {
            normalise(direction, d);
            gradientAt(STEP, gradient, x, direction, units, moved, z, ahead);
            gradientAt(-STEP, gradient, x, direction, units, moved, z, behind);
            for (int i = 0; i < x.length; i++) {
                direction[i] = units[i % d] * (ahead[i] - behind[i]) / (2 * STEP);
            }
            for (int j = 0; j < block.rows(); j++) {
                most = Math.max(most, length(direction, j, d));
            }
        }
        return most;
    }

    private static void gradientAt(
            double by,
            Model.RowGradient gradient,
            double[] x,
            double[] direction,
            double[] units,
            Block moved,
            double[] z,
            double[] out) {
        for (int i = 0; i < x.length; i++) {
            z[i] = x[i] + by * units[i % units.length] * direction[i];
        }
        gradient.at(moved, out);
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
