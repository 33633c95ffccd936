package holdfast.math;

import java.util.Arrays;

/**
 * The logistic function sigma(a) = 1/(1+e^-a) and log(1+e^a), from our own exponential function.
 *
 * <p>exp: k = round(x / ln 2), r = x - k ln 2 in two parts (Cody, Waite), |r| &lt;= 0.347, a polynomial of degree 11
 * that interpolates at Chebyshev's nodes (truncation 2e-17), times 2^k by its exponent bits. It uses only additions and
 * multiplications in a fixed order, so plain and vector code agree to the bit. The relative error is below 5e-16 on
 * [-708, 709]; beyond, the result is soon 0 or infinite.
 */
public final class Logistic {
    static final double LOG2_E = 1.4426950408889634;
    static final double LN2_HIGH = 0x1.62e42feep-1;
    static final double LN2_LOW = 0x1.a39ef35793c76p-33;
    /** Adding 1.5 * 2^52 rounds to a whole number and leaves it in the low bits. */
    static final double ROUNDER = 0x1.8p52;

    /**
     * Subtracted from the bits of a number rounded in this way, this leaves its whole part plus 1023, the biased
     * exponent.
     */
    static final long UNBIASED = Double.doubleToRawLongBits(ROUNDER) - 1023;

    /** The coefficients of the polynomial, by power. */
    static final double C0 = 1;

    static final double C1 = 1;
    static final double C2 = 0x1.0000000000001p-1;
    static final double C3 = 0x1.5555555555556p-3;
    static final double C4 = 0x1.5555555553d68p-5;
    static final double C5 = 0x1.11111111109b5p-7;
    static final double C6 = 0x1.6c16c17889ef9p-10;
    static final double C7 = 0x1.a01a01a7c2f03p-13;
    static final double C8 = 0x1.a019b914985a9p-16;
    static final double C9 = 0x1.71de0db2f585ep-19;
    static final double C10 = 0x1.28917c8be7ad6p-22;
    static final double C11 = 0x1.af389ed28db09p-26;

    /** The coefficients of atanh(s)/s, by power of s^2. */
    static final double A1 = 0x1.5555555555527p-2;

    static final double A2 = 0x1.99999999a1c4fp-3;
    static final double A3 = 0x1.249249201beacp-3;
    static final double A4 = 0x1.c71c7445b2127p-4;
    static final double A5 = 0x1.745caf74cbe5ep-4;
    static final double A6 = 0x1.3b1e2bc8a12dep-4;
    static final double A7 = 0x1.106443d797a85p-4;
    static final double A8 = 0x1.f00852a5c69fap-5;
    static final double A9 = 0x1.54f8c703ce149p-5;
    static final double A10 = 0x1.5d1081172f887p-4;

    private Logistic() {}

    public static double exp(double x) {
        double shifted = x * LOG2_E + ROUNDER;
        double k = shifted - ROUNDER;
        double r = (x - k * LN2_HIGH) - k * LN2_LOW;
        return inRange(shifted) ? polynomial(r) * power(shifted) : limit(shifted);
    }

    /** Returns whether 2^k, for the k in the low bits of {@code shifted}, is a normal number or 0. */
    static boolean inRange(double shifted) {
        return ((Double.doubleToRawLongBits(shifted) - UNBIASED) & ~2047L) == 0;
    }

    static double power(double shifted) {
        return Double.longBitsToDouble((Double.doubleToRawLongBits(shifted) - UNBIASED) << 52);
    }

    static double limit(double shifted) {
        return shifted > ROUNDER ? Double.POSITIVE_INFINITY : shifted < ROUNDER ? 0 : Double.NaN;
    }

    /** Evaluates even and odd powers separately, which halves the chain of dependent operations. */
    static double polynomial(double r) {
        double q = r * r;
        double even = ((((C10 * q + C8) * q + C6) * q + C4) * q + C2) * q + C0;
        double odd = ((((C11 * q + C9) * q + C7) * q + C5) * q + C3) * q + C1;
        return odd * r + even;
    }

    public static double sigmoid(double a) {
        return 1 / (1 + exp(-a));
    }

    /**
     * out[i] = sigma(a[i]) for i &lt; n, with the same bits as {@link #sigmoid(double)}. Overwrites {@code a};
     * {@code out} must be another array.
     */
    public static void sigmoid(double[] a, double[] out, int n) {
        Kernels.CHOSEN.sigmoid(a, out, n);
    }

    /**
     * out[i] = e^a[i] for i &lt; n, with the same bits as {@link #exp(double)}. Overwrites {@code a}; {@code out} must
     * be another array.
     */
    public static void exp(double[] a, double[] out, int n) {
        Kernels.CHOSEN.exp(a, out, n);
    }

    /** out[c] = e^u_c / sum over c of e^u_c for the k scores u_c = u[from + c], without overflow. */
    public static void softmax(double[] u, int from, int k, double[] out) {
        double most = u[from];
        for (int c = 1; c < k; c++) {
            most = Math.max(most, u[from + c]);
        }
        double sum = 0;
        for (int c = 0; c < k; c++) {
            out[c] = exp(u[from + c] - most);
            sum += out[c];
        }
        for (int c = 0; c < k; c++) {
            out[c] /= sum;
        }
    }

    /**
     * Computes the same for n rows with scores by class, u_c of row j = u[c*n + j] and out in the same layout, with the
     * same bits as for one row. Overwrites {@code u}.
     */
    public static void softmax(double[] u, double[] out, int k, int n) {
        Kernels.CHOSEN.softmax(u, out, k, n);
    }

    /**
     * Returns log sum over c of e^u_c for each of n rows with scores by class, without overflow. Overwrites {@code u}.
     */
    public static double[] logSum(double[] u, int k, int n) {
        double[] most = largest(u, k, n);
        double[] sum = powers(Kernels.CHOSEN, u, most, new double[k * n], k, n);
        for (int j = 0; j < n; j++) {
            sum[j] = most[j] + StrictMath.log(sum[j]);
        }
        return sum;
    }

    static double[] largest(double[] u, int k, int n) {
        double[] most = Arrays.copyOf(u, n);
        for (int from = n; from < k * n; from += n) {
            for (int j = 0; j < n; j++) {
                most[j] = Math.max(most[j], u[from + j]);
            }
        }
        return most;
    }

    /** Computes out = e^(u - most) and returns the sums over the classes. */
    static double[] powers(Kernels kernels, double[] u, double[] most, double[] out, int k, int n) {
        for (int from = 0; from < k * n; from += n) {
            for (int j = 0; j < n; j++) {
                u[from + j] -= most[j];
            }
        }
        kernels.exp(u, out, k * n);
        double[] sum = new double[n];
        for (int from = 0; from < k * n; from += n) {
            for (int j = 0; j < n; j++) {
                sum[j] += out[from + j];
            }
        }
        return sum;
    }

    /**
     * log(1 + e) for 0 &lt;= e &lt;= 1, from additions, multiplications and a division only, so that loops over it can
     * be vectorised: 2 atanh(s) with s = e/(2 + e), and atanh(s)/s as a polynomial of degree 10 in s^2 that interpolates
     * at Chebyshev's nodes (truncation 2e-18). The relative error is below 1e-15.
     */
    public static double log1p(double e) {
        return twiceAtanh(e / (2 + e));
    }

    /** 2 atanh(s) for 0 &lt;= s &lt;= 1/3. */
    static double twiceAtanh(double s) {
        double q = s * s;
        double p = A10;
        p = p * q + A9;
        p = p * q + A8;
        p = p * q + A7;
        p = p * q + A6;
        p = p * q + A5;
        p = p * q + A4;
        p = p * q + A3;
        p = p * q + A2;
        p = p * q + A1;
        return 2 * s * (p * q + 1);
    }

    /** Returns log(1 + e^a) without overflow. */
    public static double softplus(double a) {
        return Math.max(a, 0) + StrictMath.log1p(exp(-Math.abs(a)));
    }
}
