package holdfast.model;

import holdfast.math.Kernels;
import holdfast.math.Logistic;

/**
 * What a unit of a network does with its sum: sigma, with its first two derivatives, from our own exponential function
 * alone, so that every bit is fixed. Values and slopes are within 1e-15 of the exact ones, relative to the larger of 1
 * and the value.
 *
 * <p>All but {@link #RELU} have a Lipschitz slope, which Assumption 1 asks for.
 */
public enum Activation {
    /** log(1 + e^a); sigma' = 1/(1 + e^-a), sigma'' at most 1/4. */
    SOFTPLUS(1, 0.25, Double.POSITIVE_INFINITY) {
        @Override
        public void apply(double[] a, double[] value, double[] slope, int n) {
            Kernels.CHOSEN.softplus(a, value, slope, n);
        }

        @Override
        double bend(double a) {
            double p = Logistic.sigmoid(-Math.abs(a));
            return p * (1 - p);
        }
    },

    /** tanh a; sigma' = 1 - tanh^2 a, |sigma''| at most 4/(3 sqrt 3). */
    TANH(1, 0.7698003589195011, 1) {
        @Override
        public void apply(double[] a, double[] value, double[] slope, int n) {
            for (int i = 0; i < n; i++) {
                value[i] = -2 * Math.abs(a[i]);
            }
            Kernels.CHOSEN.exp(value, slope, n);
            for (int i = 0; i < n; i++) {
                double share = 1 / (1 + slope[i]);
                value[i] = Math.copySign((1 - slope[i]) * share, a[i]);
                slope[i] = 4 * slope[i] * share * share;
            }
        }

        @Override
        double bend(double a) {
            double e = Logistic.exp(-2 * Math.abs(a));
            double share = 1 / (1 + e);
            return -2 * Math.copySign((1 - e) * share, a) * (4 * e * share * share);
        }
    },

    /**
     * a sigma(1.5957691216057308 (a + 0.044715 a^3)) with the logistic function sigma: the form with tanh of a Phi(a)
     * (Hendrycks, Gimpel 2016), which PyTorch calls {@code gelu(approximate='tanh')}.
     */
    GELU(1.13, 0.7979, Double.POSITIVE_INFINITY) {
        @Override
        public void apply(double[] a, double[] value, double[] slope, int n) {
            for (int i = 0; i < n; i++) {
                double x = clipped(a[i]);
                value[i] = -Math.abs(TANH_FORM * (x + CUBIC * x * x * x));
            }
            Kernels.CHOSEN.sigmoid(value, slope, n);
            for (int i = 0; i < n; i++) {
                double x = clipped(a[i]);
                double less = slope[i]; // The lesser of p and 1 - p, which 1 - p would be without its last digits.
                double p = less + (1 + Math.copySign(1, x)) / 2 * (1 - 2 * less);
                value[i] = a[i] * p;
                slope[i] = p + x * less * (1 - less) * (TANH_FORM * (1 + 3 * CUBIC * x * x));
            }
        }

        @Override
        double bend(double a) {
            double x = clipped(a);
            double less = Logistic.sigmoid(-Math.abs(TANH_FORM * (x + CUBIC * x * x * x)));
            double first = TANH_FORM * (1 + 3 * CUBIC * x * x);
            double second = TANH_FORM * 6 * CUBIC * x;
            double q = less * (1 - less);
            return 2 * q * first + x * q * (Math.copySign(2 * less - 1, -x) * first * first + second);
        }
    },

    /** a for a &gt; 0, else e^a - 1; sigma' = min(1, e^a), sigma'' at most 1. */
    ELU(1, 1, Double.POSITIVE_INFINITY) {
        @Override
        public void apply(double[] a, double[] value, double[] slope, int n) {
            for (int i = 0; i < n; i++) {
                value[i] = 0.5 * a[i] - 0.5 * Math.abs(a[i]);
            }
            Kernels.CHOSEN.exp(value, slope, n);
            for (int i = 0; i < n; i++) {
                value[i] = 0.5 * a[i] + 0.5 * Math.abs(a[i]) + (slope[i] - 1);
            }
        }

        @Override
        double bend(double a) {
            return a > 0 ? 0 : Logistic.exp(a);
        }
    },

    /** max(a, 0). Its slope jumps at 0, where it is taken to be 1 (0 at -0): nothing bounds sigma''. */
    RELU(1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY) {
        @Override
        public void apply(double[] a, double[] value, double[] slope, int n) {
            for (int i = 0; i < n; i++) {
                value[i] = 0.5 * a[i] + 0.5 * Math.abs(a[i]);
                slope[i] = (1 + Math.copySign(1, a[i])) / 2;
            }
        }

        @Override
        double bend(double a) {
            return 0;
        }
    };

    private static final double TANH_FORM = 1.5957691216057308;
    private static final double CUBIC = 0.044715;

    private final double slopeBound;
    private final double bendBound;
    private final double bound;

    Activation(double slopeBound, double bendBound, double bound) {
        this.slopeBound = slopeBound;
        this.bendBound = bendBound;
        this.bound = bound;
    }

    /** value[i] = sigma(a[i]) and slope[i] = sigma'(a[i]) for i &lt; n, three different arrays. */
    public abstract void apply(double[] a, double[] value, double[] slope, int n);

    /** sigma''(a) */
    abstract double bend(double a);

    /** out[i] = sigma''(a[i]) for i &lt; n. */
    public void bends(double[] a, double[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = bend(a[i]);
        }
    }

    /** Returns a bound on |sigma'|. */
    public double slopeBound() {
        return slopeBound;
    }

    /** Returns a bound on |sigma''|, infinite if the slope jumps. */
    public double bendBound() {
        return bendBound;
    }

    /** Returns a bound on |sigma|, infinite if there is none. */
    public double bound() {
        return bound;
    }

    /** Whether the slope is Lipschitz, as Assumption 1 asks. */
    public boolean smooth() {
        return bendBound < Double.POSITIVE_INFINITY;
    }

    /** sigma(0) */
    double atZero() {
        double[] value = new double[1];
        apply(new double[1], value, new double[1], 1);
        return value[0];
    }

    /** Beyond 40 sigma is 0 or 1 to the last bit, and powers of a could overflow. */
    private static double clipped(double a) {
        return Math.max(-40, Math.min(40, a));
    }
}
