package holdfast.model;

import holdfast.Check;
import holdfast.data.LabelFunction;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Least squares: l(u; y) = (u - y)^2 / 2. Its robust loss has a closed form, r^2/2 lambda/(lambda - ||theta||^2) with r
 * = u - y, and is infinite for lambda &lt;= ||theta||^2.
 */
public final class LinearRegression extends LinearModel {
    public LinearRegression(boolean intercept) {
        super(intercept);
    }

    @Override
    protected double loss(double u, double label) {
        return (u - label) * (u - label) / 2;
    }

    @Override
    public void slopes(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = u[j] - labels[j];
        }
    }

    @Override
    public void curvatures(double[] u, double[] labels, double[] out, int n) {
        Arrays.fill(out, 0, n, 1);
    }

    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of());
    }

    @Override
    public Target target() {
        return Target.NUMBER;
    }

    @Override
    public LabelUnit labelUnit() {
        return LabelUnit.STANDARD;
    }

    @Override
    public double slopeBound(double reach, double label) {
        return reach + label;
    }

    @Override
    public LabelFunction slopeBound() {
        return Math::abs;
    }

    @Override
    public double curvatureBound(double reach, double label) {
        return 1;
    }

    /** r / (lambda - n): away from the label, and farther the closer lambda is to n. */
    @Override
    public Move worstMove(double u, double label, double n, double lambda) {
        Check.that(
                lambda > n,
                "model linear needs --lambda above ||theta||^2, or the worst case is infinite; got --lambda %s, ||theta||^2 is %s",
                lambda,
                n);
        return Move.rounded((u - label) / (lambda - n));
    }
}
