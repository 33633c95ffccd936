package holdfast.math;

/**
 * Vector arithmetic with a fixed order of operations: element i belongs to lane i mod 8, lanes are summed as
 * ((0+1)+(2+3))+((4+5)+(6+7)).
 */
public final class Vectors {
    private static final double SAFE_LOW = 0x1p-900;

    private static final double SAFE_HIGH = 0x1p900;

    private Vectors() {}

    public static double dot(double[] a, double[] b, int n) {
        return dot(a, 0, b, 0, n);
    }

    /** Sum over i &lt; n of a[aFrom+i] * b[bFrom+i]. */
    public static double dot(double[] a, int aFrom, double[] b, int bFrom, int n) {
        return Kernels.CHOSEN.dot(a, aFrom, b, bFrom, n);
    }

    /** Sum of the first n elements, in the same eight lanes. */
    public static double sum(double[] a, int n) {
        return Kernels.CHOSEN.sum(a, n);
    }

    /** target += factor * a, elementwise over the first n. */
    public static void addScaled(double[] target, double factor, double[] a, int n) {
        Kernels.CHOSEN.addScaled(target, factor, a, n);
    }

    /** target += a. */
    public static double[] add(double[] target, double[] a) {
        Kernels.CHOSEN.add(target, a);
        return target;
    }

    /** out = factor * a[from..], as many elements as out has. */
    public static void scale(double factor, double[] a, int from, double[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] = factor * a[from + i];
        }
    }

    public static double[] scaled(double factor, double[] a) {
        double[] out = new double[a.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = factor * a[i];
        }
        return out;
    }

    /** Returns a/||a||, accurate for every finite a; 0 for 0. */
    public static double[] unit(double[] a) {
        int exponent = Math.getExponent(maxAbs(a, a.length));
        double[] near = new double[a.length];
        for (int i = 0; i < near.length; i++) {
            near[i] = Math.scalb(a[i], -exponent);
        }
        double length = norm(near);
        return length == 0 ? near : scaled(1 / length, near);
    }

    public static boolean finite(double[] a) {
        for (double x : a) {
            if (!Double.isFinite(x)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the value itself, or the largest double of its sign if it overflowed. */
    public static double clamped(double x) {
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, x));
    }

    /** Returns a copy with each overflowed element replaced by the largest double of its sign. */
    public static double[] clamped(double[] a) {
        double[] out = new double[a.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = clamped(a[i]);
        }
        return out;
    }

    public static double maxAbs(double[] a, int n) {
        double max = 0;
        for (int i = 0; i < n; i++) {
            max = Math.max(max, Math.abs(a[i]));
        }
        return max;
    }

    /** Returns whether a sum of squares lost nothing to overflow or underflow. */
    public static boolean safe(double squares) {
        return squares > SAFE_LOW && squares < SAFE_HIGH;
    }

    public static double norm(double[] a) {
        return norm(a, a.length);
    }

    /**
     * Returns the Euclidean norm of the first n elements, which must be finite. If squares would overflow or underflow,
     * all elements are first scaled by a power of two, which is exact; the result is infinite only if the norm itself
     * is above the largest double.
     */
    public static double norm(double[] a, int n) {
        double squares = dot(a, a, n);
        if (safe(squares)) {
            return Math.sqrt(squares);
        }
        double max = maxAbs(a, n);
        if (max == 0) {
            return 0;
        }
        int exponent = Math.getExponent(max);
        double[] small = new double[n];
        for (int i = 0; i < n; i++) {
            small[i] = Math.scalb(a[i], -exponent);
        }
        return Math.scalb(Math.sqrt(dot(small, small, n)), exponent);
    }
}
