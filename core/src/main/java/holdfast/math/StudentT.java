package holdfast.math;

/** Tail probabilities of Student's t distribution with a whole number of degrees of freedom. */
public final class StudentT {
    private StudentT() {}

    /**
     * Returns P(T &gt; t) by the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4, and far out in the tail by
     * the first terms of its expansion in 1/t^2, where the sums would cancel.
     *
     * @param degrees at least 1
     */
    public static double above(double t, int degrees) {
        if (t < 0) {
            return 1 - above(-t, degrees);
        }
        double inside = within(t, degrees);
        return inside < 1 - 1e-9 ? (1 - inside) / 2 : tail(t, degrees);
    }

    /** Returns P(|T| &lt; t). */
    private static double within(double t, int degrees) {
        double cos2 = degrees / (degrees + t * t);
        double angle = Math.atan(t / Math.sqrt(degrees));
        double sin = t / Math.sqrt(degrees + t * t);
        boolean odd = degrees % 2 == 1;
        double term = odd ? Math.sqrt(cos2) : 1;
        double sum = degrees == 1 ? 0 : term;
        for (int i = odd ? 3 : 2; i <= degrees - 2; i += 2) {
            term *= cos2 * (i - 1) / i;
            sum += term;
        }
        return odd ? 2 / Math.PI * (angle + sin * sum) : sin * sum;
    }

    /** Integrates the density c (1 + s^2/v)^(-(v+1)/2) from t on, by substituting s = t/x on (0, 1]. */
    private static double tail(double t, int degrees) {
        int steps = 2000;
        double sum = 0;
        for (int i = 0; i < steps; i++) {
            double x = (i + 0.5) / steps;
            double s = t / x;
            sum += Math.exp(-(degrees + 1) / 2.0 * Math.log1p(s * s / degrees)) * t / (x * x);
        }
        return density0(degrees) * sum / steps;
    }

    /** Returns the density at 0, Gamma((v+1)/2) / (sqrt(v pi) Gamma(v/2)). */
    private static double density0(int degrees) {
        // Gamma((v+1)/2)/Gamma(v/2) steps from v to v+2 by the factor (v+1)/v.
        double ratio = degrees % 2 == 1 ? 1 / Math.sqrt(Math.PI) : Math.sqrt(Math.PI) / 2;
        for (int v = degrees % 2 == 1 ? 1 : 2; v < degrees; v += 2) {
            ratio *= (v + 1.0) / v;
        }
        return ratio / Math.sqrt(degrees * Math.PI);
    }
}
