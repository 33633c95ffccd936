package holdfast.model;

import holdfast.data.LabelFunction;
import holdfast.math.Logistic;
import holdfast.math.Scratch;
import java.util.Map;
import java.util.Optional;

/**
 * Binary logistic regression: l(u; y) = log(1 + e^u) - y u for y in {0, 1}, the cross-entropy of a = sigma(u). |l'|
 * &lt;= 1 and l'' &lt;= 1/4; the constants grow with theta, so Assumption 1 holds only on balls (with Z = X + R/lambda
 * for rows of length X).
 */
public final class LogisticRegression extends LinearModel {
    private static final int MAX_STEPS = 100;
    /**
     * After three steps no row is left open unless kappa is near 4; there, one in 200 of the scores within 12 of the
     * turn is.
     */
    private static final int HALLEY_STEPS = 3;
    /** e^-300 is negligible beside 1, while its square is still a normal number; CPUs are slow with subnormal ones. */
    private static final double FAR = 300;
    /** The rounding error of h, relative to {@code top}. */
    private static final double ROUNDING = 0x1p-49;
    /** How near a root must be, relative to the slope of h, for the bound on the error of a Newton step. */
    private static final double NEAR = 1e-3;
    /** The error of lambda t that is small enough. */
    private static final double SETTLED = 1e-13;

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
    public String name() {
        return "logistic";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of());
    }

    @Override
    public Target target() {
        return Target.TWO_CLASSES;
    }

    @Override
    public boolean givesProbabilities() {
        return true;
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
        for (int step = 0; step < MAX_STEPS && high - low > Math.ulp(high); step++) {
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
                // Newton's method has settled on one side of the root: a point just beyond it closes the bracket.
                next = beyond ? t - 4 * Math.ulp(t) : t + 4 * Math.ulp(t);
            }
            t = next > low && next < high ? next : low + (high - low) / 2;
        }
        return new Move(sign * t, high - low);
    }

    /**
     * Moves all rows by the same few steps. With kappa = n/lambda the two sides of the turn w = kappa/2 mirror each
     * other: the moved score is v &gt;= 0 away from 0, the only root there of h(v) = top - kappa p - v, where p =
     * sigma(-v) and top = |w - kappa/2| + kappa/2, and lambda t is 1 - p beyond the boundary, p before it. h is
     * concave, so Halley's steps (of third order) go down from v = top. The last step is Newton's, in p, and its error
     * is bounded: with g = -h'(v) = 1 - kappa p (1 - p) and e = |h(v)|/g &lt;= g/1000 the root is within 2e
     * (Kantorovich, 1948), where |h''| &lt;= 1.1 (1 - g), so that lambda t is left with at most 3 p (1 - p) e^2/g. Rows
     * for which the bound is not small enough, those near the triple root kappa = 4, w = 2, go through
     * {@link #worstMove}.
     */
    @Override
    public double worstMoves(
            double[] u, double[] labels, double n, double lambda, double[] s, int rows, Scratch scratch) {
        double kappa = n / lambda;
        double[] v = s;
        double[] top = scratch.array(1, rows);
        double[] minus = scratch.array(2, rows);
        double[] p = scratch.array(3, rows);
        for (int j = 0; j < rows; j++) {
            double w = (2 * labels[j] - 1) * u[j];
            top[j] = Math.min(Math.abs(w - kappa / 2) + kappa / 2, FAR);
            v[j] = top[j];
            minus[j] = -top[j];
        }
        for (int step = 0; step < HALLEY_STEPS; step++) {
            Logistic.sigmoid(minus, p, rows);
            halley(kappa, top, p, v, minus, rows);
        }
        Logistic.sigmoid(minus, p, rows);
        double widest = 0;
        for (int j = 0; j < rows; j++) {
            double h = (top[j] - v[j]) - kappa * p[j];
            double slope = p[j] * (1 - p[j]);
            double g = 1 - kappa * slope;
            double rounding = ROUNDING * top[j];
            double e = (Math.abs(h) + rounding) / g;
            double error = slope * (rounding + 3 * e * e) / g + 0x1p-50;
            if (v[j] >= 0 && g > 0 && e <= NEAR * g && error <= SETTLED) {
                double sign = 1 - 2 * labels[j];
                // 1 before the boundary, -1 beyond it; without a branch, because CPUs could not predict it.
                double side = Math.copySign(1, -sign * u[j] - kappa / 2);
                s[j] = sign * ((1 - side) / 2 + side * (p[j] - slope * (h / g))) / lambda;
                widest = Math.max(widest, error / lambda);
            } else {
                Move move = worstMove(u[j], labels[j], n, lambda);
                s[j] = move.length();
                widest = Math.max(widest, move.bracket());
            }
        }
        return widest;
    }

    /** Takes one step in v and {@code minus} = -v. A separate method, so that the compiler vectorises the loop. */
    private static void halley(double kappa, double[] top, double[] p, double[] v, double[] minus, int rows) {
        for (int j = 0; j < rows; j++) {
            double h = (top[j] - v[j]) - kappa * p[j];
            double bend = kappa * (p[j] * (1 - p[j]));
            double g = 1 - bend;
            double next = v[j] + 2 * h * g / (2 * g * g + h * bend * (1 - 2 * p[j]));
            v[j] = next;
            minus[j] = -next;
        }
    }
}
