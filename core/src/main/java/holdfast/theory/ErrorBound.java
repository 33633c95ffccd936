package holdfast.theory;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * Bounds how far liars move a rule's direction G: ||G - S|| &lt;= influence ||S|| + spread Delta for every S, Delta =
 * max over honest i of ||g_i - S||, whatever f of the m workers send or whether they send at all. The direction descends
 * wherever S is long compared with Delta if influence &lt; 1.
 *
 * @param influence C, what the liars move even if all honest updates equal S
 * @param spread how much of the honest updates' own differences they can turn into error
 */
public record ErrorBound(double influence, double spread) {
    public ErrorBound {
        Check.that(
                influence >= 0 && spread >= 0 && Double.isFinite(influence) && Double.isFinite(spread),
                "an error bound's influence and spread must be finite and >= 0, got %s and %s",
                influence,
                spread);
    }

    /**
     * Returns the bound of an (f, kappa)-robust rule: no influence, spread sqrt(1 + kappa). With g the mean over m - f
     * honest i and r^2 the mean of ||g_i - g||^2, ||G - S|| &lt;= sqrt(kappa) r + ||g - S|| &lt;= sqrt(1 + kappa)
     * sqrt(r^2 + ||g - S||^2), and r^2 + ||g - S||^2 is the mean of ||g_i - S||^2.
     */
    public static ErrorBound ofKappa(double kappa) {
        return new ErrorBound(0, Math.sqrt(1 + kappa));
    }

    /** Returns influence ||S|| + spread Delta for the target S. */
    public double at(List<double[]> honest, double[] target) {
        return influence * Vectors.norm(target) + spread * ScreeningBound.spread(honest, target);
    }
}
