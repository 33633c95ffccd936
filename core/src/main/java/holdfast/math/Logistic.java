package holdfast.math;

/**
 * The logistic function sigma(a) = 1/(1+e^-a) and log(1+e^a), from an exponential of our own.
 *
 * <p>exp: k = round(x / ln 2), r = x - k ln 2 in two parts (Cody, Waite), |r| &lt;= 0.347, Taylor's polynomial of
 * degree 13 (truncation 4e-18), times 2^k by its exponent bits. Only additions and multiplications in a fixed order,
 * so plain and vector code agree to the bit; relative error below 3e-16 on [-708, 709], clamped outside.
 */
public final class Logistic {
    private static final double LOG2_E = 1.4426950408889634;
    private static final double LN2_HIGH = 0x1.62e42feep-1;
    private static final double LN2_LOW = 0x1.a39ef35793c76p-33;
    /** Adding 1.5 * 2^52 rounds to a whole number and leaves it in the low bits. */
    private static final double ROUNDER = 0x1.8p52;

    private static final double LOWEST = -708;
    private static final double HIGHEST = 709;

    private Logistic() {}

    public static double exp(double x) {
        double clamped = Math.min(Math.max(x, LOWEST), HIGHEST);
        double shifted = clamped * LOG2_E + ROUNDER;
        double k = shifted - ROUNDER;
        double r = (clamped - k * LN2_HIGH) - k * LN2_LOW;
        return polynomial(r) * Double.longBitsToDouble((Double.doubleToRawLongBits(shifted) + 1023) << 52);
    }

    private static double polynomial(double r) {
        double p = 1.0 / 6227020800.0;
        p = p * r + 1.0 / 479001600.0;
        p = p * r + 1.0 / 39916800.0;
        p = p * r + 1.0 / 3628800.0;
        p = p * r + 1.0 / 362880.0;
        p = p * r + 1.0 / 40320.0;
        p = p * r + 1.0 / 5040.0;
        p = p * r + 1.0 / 720.0;
        p = p * r + 1.0 / 120.0;
        p = p * r + 1.0 / 24.0;
        p = p * r + 1.0 / 6.0;
        p = p * r + 0.5;
        p = p * r + 1.0;
        return p * r + 1.0;
    }

    public static double sigmoid(double a) {
        return 1 / (1 + exp(-a));
    }

    /** out[i] = sigma(a[i]) for i &lt; n; {@code out} may be {@code a}. */
    public static void sigmoid(double[] a, double[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = 1 / (1 + exp(-a[i]));
        }
    }

    /** log(1 + e^a) without overflow. */
    public static double softplus(double a) {
        return Math.max(a, 0) + StrictMath.log1p(exp(-Math.abs(a)));
    }
}
