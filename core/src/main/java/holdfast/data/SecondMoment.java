package holdfast.data;

import holdfast.Seed;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.List;

/**
 * The matrix sum w_j x_j x_j^T over weighted rows, a 1 appended to x when there is an intercept. Never formed: only its
 * products with vectors are, in O(rows x columns), along the fixed tree of the blocks.
 */
public record SecondMoment(List<Block> blocks, boolean intercept) {
    private static final int POWER_STEPS = 60;

    public double[] times(double[] v) {
        return Tree.reduce(blocks.size(), b -> times(blocks.get(b), v), Vectors::add);
    }

    private static double[] times(Block block, double[] v) {
        int d = block.columns();
        double[] u = new double[block.rows()];
        block.times(v, u);
        double[] weights = block.weights();
        for (int j = 0; j < u.length; j++) {
            u[j] = (u[j] + (v.length > d ? v[d] : 0)) * (weights == null ? 1 : weights[j]);
        }
        double[] out = new double[v.length];
        block.addTransposed(u, out);
        if (v.length > d) {
            out[d] = Vectors.sum(u, u.length);
        }
        return out;
    }

    /** By power iteration from a start drawn from the seed. */
    public double largestEigenvalue(Seed seed) {
        int d = blocks.get(0).columns();
        double[] v = seed.child("power-iteration").random().gaussians(intercept ? d + 1 : d);
        for (int step = 0; step < POWER_STEPS; step++) {
            double length = Vectors.norm(v);
            if (length == 0) {
                return 0;
            }
            v = times(Vectors.scaled(1 / length, v));
        }
        return Vectors.norm(v);
    }
}
