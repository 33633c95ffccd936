package holdfast.math;

import java.util.Arrays;

/** The kernels in plain Java; they define what the others compute. */
final class PlainKernels implements Kernels {
    @Override
    public String name() {
        return "plain";
    }

    @Override
    public double dot(double[] a, int aFrom, double[] b, int bFrom, int n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int full = n & ~7;
        for (int i = 0; i < full; i += 8) {
            s0 += a[aFrom + i] * b[bFrom + i];
            s1 += a[aFrom + i + 1] * b[bFrom + i + 1];
            s2 += a[aFrom + i + 2] * b[bFrom + i + 2];
            s3 += a[aFrom + i + 3] * b[bFrom + i + 3];
            s4 += a[aFrom + i + 4] * b[bFrom + i + 4];
            s5 += a[aFrom + i + 5] * b[bFrom + i + 5];
            s6 += a[aFrom + i + 6] * b[bFrom + i + 6];
            s7 += a[aFrom + i + 7] * b[bFrom + i + 7];
        }
        // The remainder goes to lanes 0, 1, ... in order, as if padded with zeros.
        if (full < n) {
            s0 += a[aFrom + full] * b[bFrom + full];
        }
        if (full + 1 < n) {
            s1 += a[aFrom + full + 1] * b[bFrom + full + 1];
        }
        if (full + 2 < n) {
            s2 += a[aFrom + full + 2] * b[bFrom + full + 2];
        }
        if (full + 3 < n) {
            s3 += a[aFrom + full + 3] * b[bFrom + full + 3];
        }
        if (full + 4 < n) {
            s4 += a[aFrom + full + 4] * b[bFrom + full + 4];
        }
        if (full + 5 < n) {
            s5 += a[aFrom + full + 5] * b[bFrom + full + 5];
        }
        if (full + 6 < n) {
            s6 += a[aFrom + full + 6] * b[bFrom + full + 6];
        }
        return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    }

    @Override
    public void squaredDistances(
            double[] a, double[][] others, int first, int last, int from, int to, double[] out, int at) {
        for (int j = first; j < last; j++) {
            out[at + j] = squaredDistance(a, others[j], from, to);
        }
    }

    private static double squaredDistance(double[] a, double[] b, int from, int to) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int i = from;
        for (; i <= to - 8; i += 8) {
            s0 += square(a[i] - b[i]);
            s1 += square(a[i + 1] - b[i + 1]);
            s2 += square(a[i + 2] - b[i + 2]);
            s3 += square(a[i + 3] - b[i + 3]);
            s4 += square(a[i + 4] - b[i + 4]);
            s5 += square(a[i + 5] - b[i + 5]);
            s6 += square(a[i + 6] - b[i + 6]);
            s7 += square(a[i + 7] - b[i + 7]);
        }
        double[] rest = new double[8];
        for (int lane = 0; i < to; lane++, i++) {
            rest[lane] = square(a[i] - b[i]);
        }
        return (((s0 + rest[0]) + (s1 + rest[1])) + ((s2 + rest[2]) + (s3 + rest[3])))
                + (((s4 + rest[4]) + (s5 + rest[5])) + ((s6 + rest[6]) + s7));
    }

    private static double square(double x) {
        return x * x;
    }

    @Override
    public double sum(double[] a, int n) {
        double[] lanes = new double[8];
        for (int i = 0; i < n; i++) {
            lanes[i & 7] += a[i];
        }
        return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }

    @Override
    public void addScaled(double[] target, double factor, double[] a, int n) {
        for (int i = 0; i < n; i++) {
            target[i] += factor * a[i];
        }
    }

    @Override
    public void sumEight(double[][] x, int first, double[] w, int from, double[] out) {
        double[] a = x[first];
        double[] b = x[first + 1];
        double[] c = x[first + 2];
        double[] d = x[first + 3];
        double[] e = x[first + 4];
        double[] f = x[first + 5];
        double[] g = x[first + 6];
        double[] h = x[first + 7];
        double wa = w[first];
        double wb = w[first + 1];
        double wc = w[first + 2];
        double wd = w[first + 3];
        double we = w[first + 4];
        double wf = w[first + 5];
        double wg = w[first + 6];
        double wh = w[first + 7];
        for (int k = 0; k < out.length; k++) {
            int i = from + k;
            out[k] = ((wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]))
                    + ((we * e[i] + wf * f[i]) + (wg * g[i] + wh * h[i]));
        }
    }

    @Override
    public void add(double[] target, double[] a) {
        for (int i = 0; i < target.length; i++) {
            target[i] += a[i];
        }
    }

    @Override
    public void times(double[] x, int from, int rows, int n, double[] theta, double[] out) {
        for (int j = 0; j < rows; j++) {
            out[j] = dot(x, from + j * n, theta, 0, n);
        }
    }

    /**
     * Adds four rows at a time: each element of {@code into} is loaded once for four additions, in the order of the
     * rows.
     */
    @Override
    public void addTransposed(double[] x, int from, int rows, int n, double[] r, double[] into) {
        int full = rows & ~3;
        for (int j = 0; j < full; j += 4) {
            int a = from + j * n;
            int b = a + n;
            int c = b + n;
            int d = c + n;
            double ra = r[j];
            double rb = r[j + 1];
            double rc = r[j + 2];
            double rd = r[j + 3];
            for (int i = 0; i < n; i++) {
                into[i] = (((into[i] + ra * x[a + i]) + rb * x[b + i]) + rc * x[c + i]) + rd * x[d + i];
            }
        }
        for (int j = full; j < rows; j++) {
            int a = from + j * n;
            double ra = r[j];
            for (int i = 0; i < n; i++) {
                into[i] += ra * x[a + i];
            }
        }
    }

    @Override
    public void times(float[] x, int from, int rows, int n, double[] theta, double[] out) {
        double[] row = new double[n];
        for (int j = 0; j < rows; j++) {
            widen(x, from + j * n, row);
            out[j] = dot(row, 0, theta, 0, n);
        }
    }

    @Override
    public void addTransposed(float[] x, int from, int rows, int n, double[] r, double[] into) {
        for (int j = 0; j < rows; j++) {
            int a = from + j * n;
            double ra = r[j];
            for (int i = 0; i < n; i++) {
                into[i] += ra * x[a + i];
            }
        }
    }

    /** Fills the row with the floats that start at x[from]. */
    static void widen(float[] x, int from, double[] row) {
        for (int i = 0; i < row.length; i++) {
            row[i] = x[from + i];
        }
    }

    /** Splits the work into loops, like {@link #exp}: five times as fast as one loop over the whole function. */
    @Override
    public void sigmoid(double[] a, double[] out, int n) {
        factors(-1, a, out, n);
        for (int i = 0; i < n; i++) {
            out[i] = 1 / (1 + out[i] * a[i]);
        }
    }

    @Override
    public void exp(double[] a, double[] out, int n) {
        factors(1, a, out, n);
        for (int i = 0; i < n; i++) {
            out[i] *= a[i];
        }
    }

    @Override
    public void softplus(double[] a, double[] value, double[] slope, int n) {
        for (int i = 0; i < n; i++) {
            value[i] = -Math.abs(a[i]);
        }
        exp(value, slope, n);
        for (int i = 0; i < n; i++) {
            double e = slope[i];
            double inverse = 1 / ((1 + e) * (2 + e));
            value[i] = 0.5 * a[i] + 0.5 * Math.abs(a[i]) + Logistic.twiceAtanh(e * (1 + e) * inverse);
            slope[i] = e * (2 + e) * inverse; // sigma(-|a|)
        }
        for (int i = 0; i < n; i++) {
            slope[i] += (1 + Math.copySign(1, a[i])) / 2 * (1 - 2 * slope[i]);
        }
    }

    @Override
    public void softmax(double[] u, double[] out, int k, int n) {
        double[] sum = Logistic.powers(this, u, Logistic.largest(u, k, n), out, k, n);
        for (int from = 0; from < k * n; from += n) {
            for (int j = 0; j < n; j++) {
                out[from + j] /= sum[j];
            }
        }
    }

    @Override
    public void product(double[][] a, double[] v, double[] out, int n) {
        Arrays.fill(out, 0, a.length * n, 0);
        for (int c = 0; c < a.length; c++) {
            for (int b = 0; b < a.length; b++) {
                double factor = a[c][b];
                for (int j = 0; j < n; j++) {
                    out[c * n + j] += factor * v[b * n + j];
                }
            }
        }
    }

    /** Adds four rows of b at a time, like {@link #addTransposed}. */
    @Override
    public void addProduct(Matrix a, Matrix b, Matrix out) {
        for (int i = 0; i < out.rows(); i++) {
            int to = out.from() + i * out.rowStep();
            int k = 0;
            for (; k + 4 <= b.rows(); k += 4) {
                addFour(a, i, k, b, out.values(), to);
            }
            for (; k < b.rows(); k++) {
                double factor = a.get(i, k);
                int from = b.from() + k * b.rowStep();
                for (int j = 0; j < b.columns(); j++) {
                    out.values()[to + j] += factor * b.values()[from + j];
                }
            }
        }
    }

    private static void addFour(Matrix a, int i, int k, Matrix b, double[] out, int to) {
        double[] v = b.values();
        int n = b.columns();
        int b0 = b.from() + k * b.rowStep();
        int b1 = b0 + b.rowStep();
        int b2 = b1 + b.rowStep();
        int b3 = b2 + b.rowStep();
        double a0 = a.get(i, k);
        double a1 = a.get(i, k + 1);
        double a2 = a.get(i, k + 2);
        double a3 = a.get(i, k + 3);
        for (int j = 0; j < n; j++) {
            out[to + j] = (((out[to + j] + a0 * v[b0 + j]) + a1 * v[b1 + j]) + a2 * v[b2 + j]) + a3 * v[b3 + j];
        }
    }

    /**
     * Writes e^(sign a[i]) as a product: a[i] becomes a power of two, out[i] the other factor. The work is split into
     * loops that the compiler turns into vector instructions, except for the loop with the exponent bits.
     */
    private static void factors(double sign, double[] a, double[] out, int n) {
        for (int i = 0; i < n; i++) {
            double x = sign * a[i];
            double shifted = x * Logistic.LOG2_E + Logistic.ROUNDER;
            double k = shifted - Logistic.ROUNDER;
            double r = (x - k * Logistic.LN2_HIGH) - k * Logistic.LN2_LOW;
            a[i] = shifted;
            out[i] = Logistic.polynomial(r);
        }
        for (int i = 0; i < n; i++) {
            if (Logistic.inRange(a[i])) {
                a[i] = Logistic.power(a[i]);
            } else {
                a[i] = Logistic.limit(a[i]);
                out[i] = 1; // Out of range, the polynomial has no meaning.
            }
        }
    }
}
