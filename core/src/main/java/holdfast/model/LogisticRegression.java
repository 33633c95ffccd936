package holdfast.model;

import holdfast.data.LabelFunction;
import holdfast.math.Logistic;

/**
 * Binary logistic regression: l(u; y) = log(1 + e^u) - y u for y in {0, 1}, the cross-entropy of a = sigma(u).
 * |l'| &lt;= 1 and l'' &lt;= 1/4; the constants grow with theta, so Assumption 1 holds on balls only (with Z = X + R/lambda for rows of length X).
 */
public final class LogisticRegression extends LinearModel {
    private static final int MOST_STEPS = 100;

    public LogisticRegression(boolean intercept) {
        super(intercept);
    }

    @Override
    protected double loss(double u, double label) {
        return Logistic.softplus(label == 1 ? -u : u);
    }

    @Override
    public void slopes(double[] u, double[] labels, double[] out, int n) {
        Logistic.sigmoid(u, out, n);
        for (int j = 0; j < n; j++) {
            out[j] -= labels[j];
        }
    }

    @Override
    public void curvatures(double[] u, double[] labels, double[] out, int n) {
        Logistic.sigmoid(u, out, n);
        for (int j = 0; j < n; j++) {
            out[j] *= 1 - out[j];
        }
    }

    @Override
    public Target target() {
        return Target.TWO_CLASSES;
    }

    /** The probability of class 1. */
    @Override
    public double expected(double score) {
        return Logistic.sigmoid(score);
    }

    @Override
    public double worseSide(double u, double label, double reach) {
        return label == 1 ? -1 : 1;
    }

    @Override
    public double slopeBound(double reach, double label) {
        return 1;
    }

    @Override
    public LabelFunction slopeBound() {
        return label -> 1;
    }

    @Override
    public double curvatureBound(double reach, double label) {
        return 0.25;
    }

    /**
     * With the margin w (u signed so that the attack lowers it) and t &gt;= 0 the move against it, stationary points
     * solve h(t) = sigma(t n - w) - lambda t = 0. There are up to three; the global maximum has t n &gt; w exactly when
     * w &lt; n/(2 lambda), and is the only root on its side, where h is concave (right) or convex (left). Newton's
     * method is then monotone from t = 1/lambda or t = 0; a bracket guards it against rounding.
     */
    @Override
    public Move worstMove(double u, double label, double n, double lambda) {
        double sign = label == 1 ? -1 : 1;
        double w = -sign * u;
        double most = 1 / lambda;
        boolean beyond = w < n / (2 * lambda);
        double low = beyond && w > 0 ? w / n : 0;
        double high = beyond || n == 0 ? most : Math.min(most, w / n);
        double t = beyond ? high : low;
        for (int step = 0; step < MOST_STEPS && high - low > Math.ulp(high); step++) {
            double p = Logistic.sigmoid(t * n - w);
            double h = p - lambda * t;
            if (h > 0) {
                low = t;
            } else {
                high = t;
            }
            double slope = n * p * (1 - p) - lambda;
            double next = slope < 0 ? t - h / slope : Double.NaN;
            if (Math.abs(next - t) <= 2 * Math.ulp(t)) {
                // Newton has settled on one side of the root: test a point just beyond it to close the bracket.
                next = beyond ? t - 4 * Math.ulp(t) : t + 4 * Math.ulp(t);
            }
            t = next > low && next < high ? next : low + (high - low) / 2;
        }
        return new Move(sign * t, high - low);
    }
}
