package holdfast.preparation;

import holdfast.Seed;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;

/**
 * The matrix sum w_j k(y_j) x_j x_j^T over rows with weights w_j and labels y_j. With an intercept, a 1 is appended to
 * x. The matrix is never formed: only its products with vectors are computed, in O(rows x columns).
 *
 * @param factor k
 */
public record SecondMoment(Rows rows, LabelFunction factor, boolean intercept) {
    private static final int POWER_STEPS = 60;

    public double[] times(double[] v) {
        LabelFunction k = factor;
        return rows.reduce(block -> block.timesSecondMoment(k, v), Vectors::add);
    }

    /** Computes the largest eigenvalue by power iteration from a start drawn from the seed. */
    public double largestEigenvalue(Seed seed) {
        int d = rows.schema().features().size();
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
