package holdfast.math;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels in the Vector API; {@link VectorFloats} handles rows of floats, and {@link VectorPowers} computes e^x and
 * what depends on it. If the CPU has fewer than eight lanes, the eight logical lanes are processed in groups, one group
 * at a time over a strip of columns short enough to stay in the nearest cache.
 */
final class VectorKernels implements Kernels {
    static final VectorSpecies<Double> GROUP = VectorSpecies.of(
            double.class,
            VectorShape.forBitSize(Math.min(512, Math.max(128, DoubleVector.SPECIES_PREFERRED.vectorBitSize()))));

    static final int WIDTH = GROUP.length();
    static final int STRIP = 1024;

    /**
     * The zeros that sums start from. Lanes that were just set to zero one by one could not be loaded as a vector
     * before the writes reach the cache.
     */
    static final double[] ZEROS = new double[32];

    /** Used if there are fewer rows than a vector has lanes. */
    private static final Kernels FEW = new PlainKernels();

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public double dot(double[] a, int aFrom, double[] b, int bFrom, int n) {
        double[] lanes = new double[8];
        int full = n & ~7;
        for (int strip = 0; strip == 0 || strip < full; strip += STRIP) {
            int end = Math.min(full, strip + STRIP);
            double[] before = strip == 0 ? ZEROS : lanes;
            for (int group = 0; group < 8; group += WIDTH) {
                DoubleVector sum = DoubleVector.fromArray(GROUP, before, group);
                for (int i = strip + group; i < end; i += 8) {
                    sum = sum.add(DoubleVector.fromArray(GROUP, a, aFrom + i)
                            .mul(DoubleVector.fromArray(GROUP, b, bFrom + i)));
                }
                sum.intoArray(lanes, group);
            }
        }
        for (int i = full; i < n; i++) {
            lanes[i & 7] += a[aFrom + i] * b[bFrom + i];
        }
        return total(lanes, 0);
    }

    /**
     * Works on four vectors at once, so that {@code a} is loaded once for four and the chains of sums overlap, as in
     * {@link #times}.
     */
    @Override
    public void squaredDistances(
            double[] a, double[][] others, int first, int last, int from, int to, double[] out, int at) {
        double[] lanes = new double[32];
        int j = first;
        for (; j + 4 <= last; j += 4) {
            fourDistances(a, others[j], others[j + 1], others[j + 2], others[j + 3], from, to, lanes);
            out[at + j] = total(lanes, 0);
            out[at + j + 1] = total(lanes, 8);
            out[at + j + 2] = total(lanes, 16);
            out[at + j + 3] = total(lanes, 24);
        }
        for (; j < last; j++) {
            out[at + j] = squaredDistance(a, others[j], from, to);
        }
    }

    private static void fourDistances(
            double[] a, double[] b, double[] c, double[] d, double[] e, int from, int to, double[] lanes) {
        int full = to - ((to - from) & 7);
        for (int group = 0; group < 8; group += WIDTH) {
            DoubleVector sb = DoubleVector.zero(GROUP);
            DoubleVector sc = DoubleVector.zero(GROUP);
            DoubleVector sd = DoubleVector.zero(GROUP);
            DoubleVector se = DoubleVector.zero(GROUP);
            for (int i = from + group; i < full; i += 8) {
                DoubleVector x = DoubleVector.fromArray(GROUP, a, i);
                DoubleVector yb = x.sub(DoubleVector.fromArray(GROUP, b, i));
                DoubleVector yc = x.sub(DoubleVector.fromArray(GROUP, c, i));
                DoubleVector yd = x.sub(DoubleVector.fromArray(GROUP, d, i));
                DoubleVector ye = x.sub(DoubleVector.fromArray(GROUP, e, i));
                sb = sb.add(yb.mul(yb));
                sc = sc.add(yc.mul(yc));
                sd = sd.add(yd.mul(yd));
                se = se.add(ye.mul(ye));
            }
            sb.intoArray(lanes, group);
            sc.intoArray(lanes, 8 + group);
            sd.intoArray(lanes, 16 + group);
            se.intoArray(lanes, 24 + group);
        }
        for (int i = full; i < to; i++) {
            lanes[i - full] += square(a[i] - b[i]);
            lanes[8 + i - full] += square(a[i] - c[i]);
            lanes[16 + i - full] += square(a[i] - d[i]);
            lanes[24 + i - full] += square(a[i] - e[i]);
        }
    }

    private static double squaredDistance(double[] a, double[] b, int from, int to) {
        double[] lanes = new double[8];
        int full = to - ((to - from) & 7);
        for (int group = 0; group < 8; group += WIDTH) {
            DoubleVector sum = DoubleVector.zero(GROUP);
            for (int i = from + group; i < full; i += 8) {
                DoubleVector x = DoubleVector.fromArray(GROUP, a, i).sub(DoubleVector.fromArray(GROUP, b, i));
                sum = sum.add(x.mul(x));
            }
            sum.intoArray(lanes, group);
        }
        for (int i = full; i < to; i++) {
            lanes[i - full] += square(a[i] - b[i]);
        }
        return total(lanes, 0);
    }

    private static double square(double x) {
        return x * x;
    }

    @Override
    public double sum(double[] a, int n) {
        double[] lanes = new double[8];
        int full = n & ~7;
        for (int strip = 0; strip == 0 || strip < full; strip += STRIP) {
            int end = Math.min(full, strip + STRIP);
            double[] before = strip == 0 ? ZEROS : lanes;
            for (int group = 0; group < 8; group += WIDTH) {
                DoubleVector sum = DoubleVector.fromArray(GROUP, before, group);
                for (int i = strip + group; i < end; i += 8) {
                    sum = sum.add(DoubleVector.fromArray(GROUP, a, i));
                }
                sum.intoArray(lanes, group);
            }
        }
        for (int i = full; i < n; i++) {
            lanes[i & 7] += a[i];
        }
        return total(lanes, 0);
    }

    static double total(double[] lanes, int at) {
        return ((lanes[at] + lanes[at + 1]) + (lanes[at + 2] + lanes[at + 3]))
                + ((lanes[at + 4] + lanes[at + 5]) + (lanes[at + 6] + lanes[at + 7]));
    }

    @Override
    public void addScaled(double[] target, double factor, double[] a, int n) {
        int full = GROUP.loopBound(n);
        for (int i = 0; i < full; i += WIDTH) {
            DoubleVector.fromArray(GROUP, target, i)
                    .add(DoubleVector.fromArray(GROUP, a, i).mul(factor))
                    .intoArray(target, i);
        }
        for (int i = full; i < n; i++) {
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
        int full = GROUP.loopBound(out.length);
        for (int k = 0; k < full; k += WIDTH) {
            int i = from + k;
            DoubleVector ab = DoubleVector.fromArray(GROUP, a, i)
                    .mul(wa)
                    .add(DoubleVector.fromArray(GROUP, b, i).mul(wb));
            DoubleVector cd = DoubleVector.fromArray(GROUP, c, i)
                    .mul(wc)
                    .add(DoubleVector.fromArray(GROUP, d, i).mul(wd));
            DoubleVector ef = DoubleVector.fromArray(GROUP, e, i)
                    .mul(we)
                    .add(DoubleVector.fromArray(GROUP, f, i).mul(wf));
            DoubleVector gh = DoubleVector.fromArray(GROUP, g, i)
                    .mul(wg)
                    .add(DoubleVector.fromArray(GROUP, h, i).mul(wh));
            ab.add(cd).add(ef.add(gh)).intoArray(out, k);
        }
        for (int k = full; k < out.length; k++) {
            int i = from + k;
            out[k] = ((wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]))
                    + ((we * e[i] + wf * f[i]) + (wg * g[i] + wh * h[i]));
        }
    }

    @Override
    public void add(double[] target, double[] a) {
        int full = GROUP.loopBound(target.length);
        for (int i = 0; i < full; i += WIDTH) {
            DoubleVector.fromArray(GROUP, target, i)
                    .add(DoubleVector.fromArray(GROUP, a, i))
                    .intoArray(target, i);
        }
        for (int i = full; i < target.length; i++) {
            target[i] += a[i];
        }
    }

    /**
     * Works on four rows at once, so that each element of theta is loaded once for four rows and four chains of sums
     * overlap. One row comes from each quarter: memory is read faster from four places than from one.
     */
    @Override
    public void times(double[] x, int from, int rows, int n, double[] theta, double[] out) {
        double[] lanes = new double[32];
        int quarter = rows / 4;
        for (int j = 0; j < quarter; j++) {
            fourRows(x, from + j * n, quarter * n, n, theta, lanes);
            out[j] = total(lanes, 0);
            out[j + quarter] = total(lanes, 8);
            out[j + 2 * quarter] = total(lanes, 16);
            out[j + 3 * quarter] = total(lanes, 24);
        }
        for (int j = 4 * quarter; j < rows; j++) {
            out[j] = dot(x, from + j * n, theta, 0, n);
        }
    }

    private static void fourRows(double[] x, int a, int apart, int n, double[] theta, double[] lanes) {
        int b = a + apart;
        int c = b + apart;
        int d = c + apart;
        int full = n & ~7;
        for (int strip = 0; strip == 0 || strip < full; strip += STRIP) {
            int end = Math.min(full, strip + STRIP);
            double[] before = strip == 0 ? ZEROS : lanes;
            for (int group = 0; group < 8; group += WIDTH) {
                DoubleVector sa = DoubleVector.fromArray(GROUP, before, group);
                DoubleVector sb = DoubleVector.fromArray(GROUP, before, 8 + group);
                DoubleVector sc = DoubleVector.fromArray(GROUP, before, 16 + group);
                DoubleVector sd = DoubleVector.fromArray(GROUP, before, 24 + group);
                for (int i = strip + group; i < end; i += 8) {
                    DoubleVector t = DoubleVector.fromArray(GROUP, theta, i);
                    sa = sa.add(DoubleVector.fromArray(GROUP, x, a + i).mul(t));
                    sb = sb.add(DoubleVector.fromArray(GROUP, x, b + i).mul(t));
                    sc = sc.add(DoubleVector.fromArray(GROUP, x, c + i).mul(t));
                    sd = sd.add(DoubleVector.fromArray(GROUP, x, d + i).mul(t));
                }
                sa.intoArray(lanes, group);
                sb.intoArray(lanes, 8 + group);
                sc.intoArray(lanes, 16 + group);
                sd.intoArray(lanes, 24 + group);
            }
        }
        for (int i = full; i < n; i++) {
            lanes[i & 7] += x[a + i] * theta[i];
            lanes[8 + (i & 7)] += x[b + i] * theta[i];
            lanes[16 + (i & 7)] += x[c + i] * theta[i];
            lanes[24 + (i & 7)] += x[d + i] * theta[i];
        }
    }

    /** Adds four rows at once: each element of {@code into} is loaded and stored once for four additions. */
    @Override
    public void addTransposed(double[] x, int from, int rows, int n, double[] r, double[] into) {
        int j = 0;
        for (; j + 4 <= rows; j += 4) {
            addFour(x, from + j * n, n, r[j], r[j + 1], r[j + 2], r[j + 3], into);
        }
        for (; j < rows; j++) {
            int a = from + j * n;
            double ra = r[j];
            for (int i = 0; i < n; i++) {
                into[i] += ra * x[a + i];
            }
        }
    }

    private static void addFour(double[] x, int a, int n, double ra, double rb, double rc, double rd, double[] into) {
        int b = a + n;
        int c = b + n;
        int d = c + n;
        int full = GROUP.loopBound(n);
        for (int i = 0; i < full; i += WIDTH) {
            DoubleVector.fromArray(GROUP, into, i)
                    .add(DoubleVector.fromArray(GROUP, x, a + i).mul(ra))
                    .add(DoubleVector.fromArray(GROUP, x, b + i).mul(rb))
                    .add(DoubleVector.fromArray(GROUP, x, c + i).mul(rc))
                    .add(DoubleVector.fromArray(GROUP, x, d + i).mul(rd))
                    .intoArray(into, i);
        }
        for (int i = full; i < n; i++) {
            into[i] = (((into[i] + ra * x[a + i]) + rb * x[b + i]) + rc * x[c + i]) + rd * x[d + i];
        }
    }

    /**
     * Works by columns on a few rows at once. If the number of rows is not a multiple of that, the last rows are
     * computed twice. Four sums at a time, so that each element of v is loaded once for four.
     */
    @Override
    public void product(double[][] a, double[] v, double[] out, int n) {
        if (n < WIDTH) {
            FEW.product(a, v, out, n);
            return;
        }
        for (int j = 0; j < n; j += WIDTH) {
            int at = Math.min(j, n - WIDTH);
            int c = 0;
            for (; c + 4 <= a.length; c += 4) {
                fourSums(a[c], a[c + 1], a[c + 2], a[c + 3], v, at, n, out, c * n + at);
            }
            for (; c < a.length; c++) {
                DoubleVector sum = DoubleVector.zero(GROUP);
                for (int b = 0; b < a.length; b++) {
                    sum = sum.add(DoubleVector.fromArray(GROUP, v, b * n + at).mul(a[c][b]));
                }
                sum.intoArray(out, c * n + at);
            }
        }
    }

    private static void fourSums(
            double[] a, double[] b, double[] c, double[] d, double[] v, int at, int n, double[] out, int to) {
        DoubleVector sa = DoubleVector.zero(GROUP);
        DoubleVector sb = DoubleVector.zero(GROUP);
        DoubleVector sc = DoubleVector.zero(GROUP);
        DoubleVector sd = DoubleVector.zero(GROUP);
        for (int i = 0; i < a.length; i++) {
            DoubleVector x = DoubleVector.fromArray(GROUP, v, i * n + at);
            sa = sa.add(x.mul(a[i]));
            sb = sb.add(x.mul(b[i]));
            sc = sc.add(x.mul(c[i]));
            sd = sd.add(x.mul(d[i]));
        }
        sa.intoArray(out, to);
        sb.intoArray(out, to + n);
        sc.intoArray(out, to + 2 * n);
        sd.intoArray(out, to + 3 * n);
    }

    @Override
    public void addProduct(Matrix a, Matrix b, Matrix out) {
        VectorProducts.add(a, b, out);
    }

    @Override
    public void times(float[] x, int from, int rows, int n, double[] theta, double[] out) {
        VectorFloats.times(x, from, rows, n, theta, out);
        double[] row = new double[n];
        for (int j = rows & ~3; j < rows; j++) {
            PlainKernels.widen(x, from + j * n, row);
            out[j] = dot(row, 0, theta, 0, n);
        }
    }

    @Override
    public void addTransposed(float[] x, int from, int rows, int n, double[] r, double[] into) {
        VectorFloats.addTransposed(x, from, rows, n, r, into);
    }

    @Override
    public void softmax(double[] u, double[] out, int k, int n) {
        if (n < WIDTH) {
            FEW.softmax(u, out, k, n);
        } else {
            VectorPowers.softmax(u, out, k, n);
        }
    }

    @Override
    public void exp(double[] a, double[] out, int n) {
        VectorPowers.exp(1, a, out, n);
    }

    @Override
    public void softplus(double[] a, double[] value, double[] slope, int n) {
        VectorPowers.softplus(a, value, slope, n);
    }

    @Override
    public void sigmoid(double[] a, double[] out, int n) {
        VectorPowers.sigmoid(a, out, n);
    }
}
