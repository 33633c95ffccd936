package holdfast.math;

import static holdfast.math.VectorKernels.GROUP;
import static holdfast.math.VectorKernels.WIDTH;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * e^x, sigma(x) = 1/(1 + e^-x) and e^u_c / sum e^u_c in the Vector API, with the same operations as {@link Logistic}.
 */
final class VectorPowers {
    private static final DoubleVector ONE = DoubleVector.broadcast(GROUP, 1);
    /** e^x is 0 from here down: x / ln 2 rounds to -1023, and that power of two has no bits set. */
    private static final double LEAST = -709.2;
    /** e^x is infinite from here up: x / ln 2 rounds to 1024, and that power of two is infinite. */
    private static final double MOST = 710;

    private VectorPowers() {}

    static void sigmoid(double[] a, double[] out, int n) {
        exp(-1, a, out, n);
        int full = GROUP.loopBound(n);
        for (int i = 0; i < full; i += WIDTH) {
            ONE.div(DoubleVector.fromArray(GROUP, out, i).add(1)).intoArray(out, i);
        }
        for (int i = full; i < n; i++) {
            out[i] = 1 / (1 + out[i]);
        }
    }

    /** In several short loops, like {@link #exp}. */
    static void softplus(double[] a, double[] value, double[] slope, int n) {
        int full = GROUP.loopBound(n);
        for (int i = 0; i < full; i += WIDTH) {
            DoubleVector.fromArray(GROUP, a, i).abs().neg().intoArray(value, i);
        }
        for (int i = full; i < n; i++) {
            value[i] = -Math.abs(a[i]);
        }
        exp(1, value, slope, n);
        divide(value, slope, full);
        logarithm(a, value, full);
        mirror(a, slope, full);
        for (int i = full; i < n; i++) {
            double e = slope[i];
            double inverse = 1 / ((1 + e) * (2 + e));
            value[i] = 0.5 * a[i] + 0.5 * Math.abs(a[i]) + Logistic.twiceAtanh(e * (1 + e) * inverse);
            slope[i] = e * (2 + e) * inverse;
            slope[i] += (1 + Math.copySign(1, a[i])) / 2 * (1 - 2 * slope[i]);
        }
    }

    /** From slope = e: value = e/(2 + e), slope = e/(1 + e). */
    private static void divide(double[] value, double[] slope, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            DoubleVector e = DoubleVector.fromArray(GROUP, slope, i);
            DoubleVector one = e.add(1);
            DoubleVector two = e.add(2);
            DoubleVector inverse = ONE.div(one.mul(two));
            e.mul(one).mul(inverse).intoArray(value, i);
            e.mul(two).mul(inverse).intoArray(slope, i);
        }
    }

    /** value = max(a, 0) + 2 atanh(value) */
    private static void logarithm(double[] a, double[] value, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            DoubleVector s = DoubleVector.fromArray(GROUP, value, i);
            DoubleVector q = s.mul(s);
            DoubleVector p = q.mul(Logistic.A10).add(Logistic.A9);
            p = p.mul(q).add(Logistic.A8);
            p = p.mul(q).add(Logistic.A7);
            p = p.mul(q).add(Logistic.A6);
            p = p.mul(q).add(Logistic.A5);
            p = p.mul(q).add(Logistic.A4);
            p = p.mul(q).add(Logistic.A3);
            p = p.mul(q).add(Logistic.A2);
            p = p.mul(q).add(Logistic.A1);
            DoubleVector x = DoubleVector.fromArray(GROUP, a, i);
            x.mul(0.5).add(x.abs().mul(0.5)).add(s.mul(2).mul(p.mul(q).add(1))).intoArray(value, i);
        }
    }

    /** slope = 1 - slope where a is not negative, with the operations of the plain kernels. */
    private static void mirror(double[] a, double[] slope, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            DoubleVector least = DoubleVector.fromArray(GROUP, slope, i);
            DoubleVector more = least.mul(-2).add(1).add(least);
            least.blend(more, DoubleVector.fromArray(GROUP, a, i).compare(VectorOperators.GE, 0))
                    .intoArray(slope, i);
        }
    }

    /**
     * out = e^(sign a), with the same operations as {@link Logistic#exp(double)}. Split into several short loops: the
     * compiler would not inline a long one, and would allocate vectors as objects.
     */
    static void exp(double sign, double[] a, double[] out, int n) {
        int full = GROUP.loopBound(n);
        reduce(sign, a, out, full);
        polynomial(out, full);
        scale(a, out, full);
        for (int i = full; i < n; i++) {
            out[i] = Logistic.exp(sign * a[i]);
        }
    }

    /**
     * Reduces the argument. If e^x is 0 or infinite, x is replaced by the nearest limit, where the result is the same
     * and the power of two still has an exponent.
     */
    private static void reduce(double sign, double[] a, double[] out, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            DoubleVector x =
                    DoubleVector.fromArray(GROUP, a, i).mul(sign).max(LEAST).min(MOST);
            DoubleVector shifted = x.mul(Logistic.LOG2_E).add(Logistic.ROUNDER);
            DoubleVector k = shifted.sub(Logistic.ROUNDER);
            x.sub(k.mul(Logistic.LN2_HIGH)).sub(k.mul(Logistic.LN2_LOW)).intoArray(out, i);
            shifted.intoArray(a, i);
        }
    }

    private static void polynomial(double[] out, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            DoubleVector r = DoubleVector.fromArray(GROUP, out, i);
            DoubleVector q = r.mul(r);
            DoubleVector even = q.mul(Logistic.C10).add(Logistic.C8);
            even = even.mul(q).add(Logistic.C6);
            even = even.mul(q).add(Logistic.C4);
            even = even.mul(q).add(Logistic.C2);
            even = even.mul(q).add(Logistic.C0);
            DoubleVector odd = q.mul(Logistic.C11).add(Logistic.C9);
            odd = odd.mul(q).add(Logistic.C7);
            odd = odd.mul(q).add(Logistic.C5);
            odd = odd.mul(q).add(Logistic.C3);
            odd = odd.mul(q).add(Logistic.C1);
            odd.mul(r).add(even).intoArray(out, i);
        }
    }

    /** Multiplies by the powers of two. */
    private static void scale(double[] a, double[] out, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            LongVector exponent =
                    DoubleVector.fromArray(GROUP, a, i).reinterpretAsLongs().sub(Logistic.UNBIASED);
            DoubleVector.fromArray(GROUP, out, i)
                    .mul(exponent.lanewise(VectorOperators.LSHL, 52).reinterpretAsDoubles())
                    .intoArray(out, i);
        }
    }

    /**
     * Works by columns, on all classes of a few rows at once. There are at least as many rows as lanes; if their number
     * is not a multiple of the lanes, the last rows are computed twice.
     */
    static void softmax(double[] u, double[] out, int k, int n) {
        for (int j = 0; j < n; j += WIDTH) {
            subtractLargest(u, out, k, n, Math.min(j, n - WIDTH));
        }
        exp(1, out, u, k * n);
        for (int j = 0; j < n; j += WIDTH) {
            divideBySum(u, out, k, n, Math.min(j, n - WIDTH));
        }
    }

    private static void subtractLargest(double[] u, double[] out, int k, int n, int at) {
        DoubleVector most = DoubleVector.fromArray(GROUP, u, at);
        for (int c = 1; c < k; c++) {
            most = most.max(DoubleVector.fromArray(GROUP, u, c * n + at));
        }
        for (int c = 0; c < k; c++) {
            DoubleVector.fromArray(GROUP, u, c * n + at).sub(most).intoArray(out, c * n + at);
        }
    }

    private static void divideBySum(double[] powers, double[] out, int k, int n, int at) {
        DoubleVector sum = DoubleVector.zero(GROUP);
        for (int c = 0; c < k; c++) {
            sum = sum.add(DoubleVector.fromArray(GROUP, powers, c * n + at));
        }
        for (int c = 0; c < k; c++) {
            DoubleVector.fromArray(GROUP, powers, c * n + at).div(sum).intoArray(out, c * n + at);
        }
    }
}
