package holdfast.preparation;

import holdfast.Seed;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;

/**
 * The matrix sum w_j k(y_j) x_j x_j^T over rows with weights w_j and labels y_j, a 1 appended to x when there is an intercept.
 * Never formed: only its products with vectors are, in O(rows x columns).
 *
 * @param factor k
 */
public record SecondMoment(Rows rows, LabelFunction factor, boolean intercept) {
    private static final int POWER_STEPS = 60;

    public double[] times(double[] v) {
        LabelFunction k = factor;
        return rows.reduce(block -> block.timesSecondMoment(k, v), Vectors::add);
    }

    /** By power iteration from a start drawn from the seed. */
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
