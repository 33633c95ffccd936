package holdfast.math;

/** The standard normal distribution. */
public final class Normal {
    private static final double LOG_ROOT_TWO_PI = 0.91893853320467274178;

    private Normal() {}

    /** Returns P(Z &lt;= z), by Marsaglia's series (2004); exact to about 1e-15, and 0 below -8. */
    public static double below(double z) {
        if (z < -8) {
            return 0;
        }
        if (!(z <= 8)) {
            return 1;
        }
        double sum = z;
        double term = z;
        for (int i = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && i < 1000; i += 2) {
            term *= z * z / i;
            sum += term;
        }
        return Math.max(0, 0.5 + sum * StrictMath.exp(-z * z / 2 - LOG_ROOT_TWO_PI));
    }
}
