package holdfast.math;

/** Tail probabilities of Student's t distribution with a whole number of degrees of freedom. */
public final class StudentT {
    private StudentT() {}

    /**
     * Returns P(T &gt; t), by the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4, and in the tail, where their
     * difference from 1 would cancel, by a series; exact to about 1e-13 of itself for t &gt; 0.
     *
     * @param degrees at least 1
     */
    public static double above(double t, int degrees) {
        if (t < 0) {
            return 1 - above(-t, degrees);
        }
        double outside = 1 - within(t, degrees);
        return outside > 0.01 ? outside / 2 : tail(t, degrees);
    }

    /**
     * Returns the t for which P(T &gt; t) is a probability.
     *
     * @param above from 1e-12 to 1/2
     */
    public static double quantile(double above, int degrees) {
        double low = 0;
        double high = 1;
        while (above(high, degrees) > above) {
            low = high;
            high *= 2;
        }
        for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
            if (above(middle, degrees) > above) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Returns P(|T| &lt; t). */
    private static double within(double t, int degrees) {
        double cos2 = degrees / (degrees + t * t);
        double angle = StrictMath.atan(t / Math.sqrt(degrees));
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

    /**
     * Sums the series of half the incomplete beta function (26.5.4 there) at x = v/(v + t^2), in which no term is
     * negative: with the density c at 0, c x^(v/2) sqrt((1-x)/v) (1 + (v+1)/(v+2) x + (v+1)(v+3)/((v+2)(v+4)) x^2 + ...).
     */
    private static double tail(double t, int degrees) {
        double x = degrees / (degrees + t * t);
        double term = 1;
        double sum = 1;
        for (int i = 1; term > 1e-17 * sum; i += 2) {
            term *= x * (degrees + i) / (degrees + i + 1);
            sum += term;
        }
        return density0(degrees) * StrictMath.pow(x, degrees / 2.0) * Math.sqrt((1 - x) / degrees) * sum;
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
