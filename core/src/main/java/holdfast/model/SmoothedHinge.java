package holdfast.model;

import holdfast.Check;
import holdfast.data.LabelFunction;
import java.util.Map;
import java.util.Optional;

/**
 * A support vector machine by the smoothed hinge loss (Rennie, Srebro 2005; Shalev-Shwartz, Zhang 2013): with a = 1 - u
 * for class 1 and a = 1 + u for class 0, l = 0 for a &lt;= 0, a^2/(2 gamma) for a &lt;= gamma, else a - gamma/2. |l'|
 * &lt;= 1 and l'' &lt;= 1/gamma; a small gamma is close to the hinge loss, and slow to train.
 */
public final class SmoothedHinge extends LinearModel {
    private final double gamma;

    public SmoothedHinge(boolean intercept, double gamma) {
        super(intercept);
        Check.that(gamma > 0 && Double.isFinite(gamma), "svm: smoothing must be finite and > 0, got %s", gamma);
        this.gamma = gamma;
    }

    private static double sign(double label) {
        return label == 1 ? -1 : 1;
    }

    @Override
    protected double loss(double u, double label) {
        double a = 1 + sign(label) * u;
        return a <= 0 ? 0 : a <= gamma ? a * a / (2 * gamma) : a - gamma / 2;
    }

    @Override
    public void slopes(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            double sign = sign(labels[j]);
            out[j] = sign * Math.max(0, Math.min(1, (1 + sign * u[j]) / gamma));
        }
    }

    @Override
    public void curvatures(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            double a = 1 + sign(labels[j]) * u[j];
            out[j] = a >= 0 && a <= gamma ? 1 / gamma : 0;
        }
    }

    @Override
    public String name() {
        return "svm";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of("smoothing", gamma));
    }

    @Override
    public Target target() {
        return Target.TWO_CLASSES;
    }

    /** NaN: a margin is no probability. */
    @Override
    public double expected(double score) {
        return Double.NaN;
    }

    @Override
    public double worseSide(double u, double label, double reach) {
        return sign(label);
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
        return 1 / gamma;
    }

    /**
     * With t &gt;= 0 the move against the margin, the slope of the gain is clip((a + t n)/gamma, 0, 1) - lambda t. For
     * lambda gamma &gt; n it has one root. Else only t = 0 and t = 1/lambda can be maxima, and their gains are 0 and a
     * - gamma/2 + n/(2 lambda) where a &lt;= 0.
     */
    @Override
    public Move worstMove(double u, double label, double n, double lambda) {
        double sign = sign(label);
        double a = 1 + sign * u;
        double most = 1 / lambda;
        double t;
        if (lambda * gamma > n) {
            t = a <= 0 ? 0 : Math.min(a / (lambda * gamma - n), most);
        } else {
            t = a > (gamma - n / lambda) / 2 ? most : 0;
        }
        return Move.rounded(sign * t);
    }
}
