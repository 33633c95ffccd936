package holdfast.model;

import holdfast.Check;
import holdfast.data.LabelFunction;
import java.util.Map;
import java.util.Optional;

/**
 * Regression in which the pull of an outlier is at most delta (Huber 1964): l(u; y) = r^2/2 for |r| &lt;= delta, else
 * delta |r| - delta^2/2, r = u - y. Labels are learnt in units that outliers do not change, so delta is in standard
 * deviations of the label without its outliers (in its own unit where nothing is scaled).
 */
public final class HuberRegression extends LinearModel {
    private final double delta;

    public HuberRegression(boolean intercept, double delta) {
        super(intercept);
        Check.that(delta > 0 && Double.isFinite(delta), "huber: delta must be finite and > 0, got %s", delta);
        this.delta = delta;
    }

    /** Where the loss becomes linear. */
    double delta() {
        return delta;
    }

    @Override
    protected double loss(double u, double label) {
        double r = Math.abs(u - label);
        return r <= delta ? r * r / 2 : delta * (r - delta / 2);
    }

    @Override
    public void slopes(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = Math.max(-delta, Math.min(delta, u[j] - labels[j]));
        }
    }

    @Override
    public void curvatures(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = Math.abs(u[j] - labels[j]) <= delta ? 1 : 0;
        }
    }

    @Override
    public String name() {
        return "huber";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of("delta", delta));
    }

    @Override
    public Target target() {
        return Target.NUMBER;
    }

    @Override
    public LabelUnit labelUnit() {
        return LabelUnit.ROBUST;
    }

    @Override
    public double slopeBound(double reach, double label) {
        return Math.min(delta, reach + label);
    }

    @Override
    public LabelFunction slopeBound() {
        double most = delta;
        return label -> Math.min(most, Math.abs(label));
    }

    @Override
    public double curvatureBound(double reach, double label) {
        return 1;
    }

    /**
     * Moves away from the label, by symmetry. There the slope of the gain is min(|r| + t n, delta) - lambda t: for
     * lambda &gt; n it falls throughout and has one root; for lambda &lt;= n it does not fall before l' reaches delta.
     */
    @Override
    public Move worstMove(double u, double label, double n, double lambda) {
        double r = u - label;
        double most = delta / lambda;
        double t = lambda > n ? Math.min(Math.abs(r) / (lambda - n), most) : most;
        return Move.rounded(r < 0 ? -t : t);
    }
}
