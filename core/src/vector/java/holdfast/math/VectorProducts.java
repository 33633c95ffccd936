package holdfast.math;

import static holdfast.math.VectorKernels.GROUP;
import static holdfast.math.VectorKernels.WIDTH;

import jdk.incubator.vector.DoubleVector;

/**
 * Products of small matrices: tiles of four rows and four or two vectors of columns stay in registers while the inner
 * dimension passes by. Stripes of columns come first, so that a stripe of the second factor stays in the nearest cache.
 */
final class VectorProducts {
    /** CPUs with the widest vectors have 32 registers for them, others 16. */
    private static final boolean MANY_REGISTERS = WIDTH == 8;

    private VectorProducts() {}

    static void add(Matrix a, Matrix b, Matrix out) {
        int n = out.columns();
        int j = 0;
        for (; MANY_REGISTERS && j + 4 * WIDTH <= n; j += 4 * WIDTH) {
            int i = 0;
            for (; i + 4 <= out.rows(); i += 4) {
                widestTile(a, i, b, j, out);
            }
            for (; i < out.rows(); i++) {
                for (int c = 0; c < 4; c++) {
                    oneRow(a, i, b, j + c * WIDTH, out);
                }
            }
        }
        for (; j + 2 * WIDTH <= n; j += 2 * WIDTH) {
            int i = 0;
            for (; i + 4 <= out.rows(); i += 4) {
                wideTile(a, i, b, j, out);
            }
            for (; i < out.rows(); i++) {
                oneRow(a, i, b, j, out);
                oneRow(a, i, b, j + WIDTH, out);
            }
        }
        for (; j + WIDTH <= n; j += WIDTH) {
            int i = 0;
            for (; i + 4 <= out.rows(); i += 4) {
                tile(a, i, b, j, out);
            }
            for (; i < out.rows(); i++) {
                oneRow(a, i, b, j, out);
            }
        }
        if (n - j > 1 && n >= WIDTH) {
            tail(a, b, n - j, out);
            return;
        }
        for (; j < n; j++) {
            column(a, b, j, out);
        }
    }

    /** The last few columns: whole vectors that end with them, of which only these are kept. */
    private static void tail(Matrix a, Matrix b, int columns, Matrix out) {
        int n = out.columns();
        double[] copy = new double[4 * WIDTH];
        Matrix four = Matrix.of(copy, 0, 4, WIDTH);
        Matrix last = new Matrix(b.values(), b.from() + n - WIDTH, b.rows(), WIDTH, b.rowStep(), 1);
        for (int i = 0; i < out.rows(); i += 4) {
            int rows = Math.min(4, out.rows() - i);
            for (int r = 0; r < rows; r++) {
                System.arraycopy(
                        out.values(), out.from() + (i + r) * out.rowStep() + n - WIDTH, copy, r * WIDTH, WIDTH);
            }
            Matrix some =
                    new Matrix(a.values(), a.from() + i * a.rowStep(), rows, a.columns(), a.rowStep(), a.columnStep());
            if (rows == 4) {
                tile(some, 0, last, 0, four);
            } else {
                for (int r = 0; r < rows; r++) {
                    oneRow(some, r, last, 0, four);
                }
            }
            for (int r = 0; r < rows; r++) {
                System.arraycopy(
                        copy,
                        (r + 1) * WIDTH - columns,
                        out.values(),
                        out.from() + (i + r) * out.rowStep() + n - columns,
                        columns);
            }
        }
    }

    private static void widestTile(Matrix a, int i, Matrix b, int j, Matrix out) {
        double[] x = a.values();
        double[] v = b.values();
        int step = a.rowStep();
        int next = a.columnStep();
        int down = b.rowStep();
        int at = a.from() + i * step;
        int line = out.rowStep();
        int to0 = out.from() + i * line + j;
        int to1 = to0 + line;
        int to2 = to1 + line;
        int to3 = to2 + line;
        double[] o = out.values();
        DoubleVector s0 = DoubleVector.fromArray(GROUP, o, to0);
        DoubleVector t0 = DoubleVector.fromArray(GROUP, o, to0 + WIDTH);
        DoubleVector u0 = DoubleVector.fromArray(GROUP, o, to0 + 2 * WIDTH);
        DoubleVector w0 = DoubleVector.fromArray(GROUP, o, to0 + 3 * WIDTH);
        DoubleVector s1 = DoubleVector.fromArray(GROUP, o, to1);
        DoubleVector t1 = DoubleVector.fromArray(GROUP, o, to1 + WIDTH);
        DoubleVector u1 = DoubleVector.fromArray(GROUP, o, to1 + 2 * WIDTH);
        DoubleVector w1 = DoubleVector.fromArray(GROUP, o, to1 + 3 * WIDTH);
        DoubleVector s2 = DoubleVector.fromArray(GROUP, o, to2);
        DoubleVector t2 = DoubleVector.fromArray(GROUP, o, to2 + WIDTH);
        DoubleVector u2 = DoubleVector.fromArray(GROUP, o, to2 + 2 * WIDTH);
        DoubleVector w2 = DoubleVector.fromArray(GROUP, o, to2 + 3 * WIDTH);
        DoubleVector s3 = DoubleVector.fromArray(GROUP, o, to3);
        DoubleVector t3 = DoubleVector.fromArray(GROUP, o, to3 + WIDTH);
        DoubleVector u3 = DoubleVector.fromArray(GROUP, o, to3 + 2 * WIDTH);
        DoubleVector w3 = DoubleVector.fromArray(GROUP, o, to3 + 3 * WIDTH);
        int from = b.from() + j;
        for (int k = b.rows(); k > 0; k--) {
            DoubleVector p = DoubleVector.fromArray(GROUP, v, from);
            DoubleVector q = DoubleVector.fromArray(GROUP, v, from + WIDTH);
            DoubleVector y = DoubleVector.fromArray(GROUP, v, from + 2 * WIDTH);
            DoubleVector z = DoubleVector.fromArray(GROUP, v, from + 3 * WIDTH);
            s0 = s0.add(p.mul(x[at]));
            t0 = t0.add(q.mul(x[at]));
            u0 = u0.add(y.mul(x[at]));
            w0 = w0.add(z.mul(x[at]));
            s1 = s1.add(p.mul(x[at + step]));
            t1 = t1.add(q.mul(x[at + step]));
            u1 = u1.add(y.mul(x[at + step]));
            w1 = w1.add(z.mul(x[at + step]));
            s2 = s2.add(p.mul(x[at + 2 * step]));
            t2 = t2.add(q.mul(x[at + 2 * step]));
            u2 = u2.add(y.mul(x[at + 2 * step]));
            w2 = w2.add(z.mul(x[at + 2 * step]));
            s3 = s3.add(p.mul(x[at + 3 * step]));
            t3 = t3.add(q.mul(x[at + 3 * step]));
            u3 = u3.add(y.mul(x[at + 3 * step]));
            w3 = w3.add(z.mul(x[at + 3 * step]));
            at += next;
            from += down;
        }
        s0.intoArray(o, to0);
        t0.intoArray(o, to0 + WIDTH);
        u0.intoArray(o, to0 + 2 * WIDTH);
        w0.intoArray(o, to0 + 3 * WIDTH);
        s1.intoArray(o, to1);
        t1.intoArray(o, to1 + WIDTH);
        u1.intoArray(o, to1 + 2 * WIDTH);
        w1.intoArray(o, to1 + 3 * WIDTH);
        s2.intoArray(o, to2);
        t2.intoArray(o, to2 + WIDTH);
        u2.intoArray(o, to2 + 2 * WIDTH);
        w2.intoArray(o, to2 + 3 * WIDTH);
        s3.intoArray(o, to3);
        t3.intoArray(o, to3 + WIDTH);
        u3.intoArray(o, to3 + 2 * WIDTH);
        w3.intoArray(o, to3 + 3 * WIDTH);
    }

    private static void wideTile(Matrix a, int i, Matrix b, int j, Matrix out) {
        double[] x = a.values();
        double[] v = b.values();
        int step = a.rowStep();
        int next = a.columnStep();
        int down = b.rowStep();
        int at = a.from() + i * step;
        int to = out.from() + i * out.rowStep() + j;
        int line = out.rowStep();
        double[] o = out.values();
        DoubleVector s0 = DoubleVector.fromArray(GROUP, o, to);
        DoubleVector t0 = DoubleVector.fromArray(GROUP, o, to + WIDTH);
        DoubleVector s1 = DoubleVector.fromArray(GROUP, o, to + line);
        DoubleVector t1 = DoubleVector.fromArray(GROUP, o, to + line + WIDTH);
        DoubleVector s2 = DoubleVector.fromArray(GROUP, o, to + 2 * line);
        DoubleVector t2 = DoubleVector.fromArray(GROUP, o, to + 2 * line + WIDTH);
        DoubleVector s3 = DoubleVector.fromArray(GROUP, o, to + 3 * line);
        DoubleVector t3 = DoubleVector.fromArray(GROUP, o, to + 3 * line + WIDTH);
        int from = b.from() + j;
        for (int k = b.rows(); k > 0; k--) {
            DoubleVector p = DoubleVector.fromArray(GROUP, v, from);
            DoubleVector q = DoubleVector.fromArray(GROUP, v, from + WIDTH);
            s0 = s0.add(p.mul(x[at]));
            t0 = t0.add(q.mul(x[at]));
            s1 = s1.add(p.mul(x[at + step]));
            t1 = t1.add(q.mul(x[at + step]));
            s2 = s2.add(p.mul(x[at + 2 * step]));
            t2 = t2.add(q.mul(x[at + 2 * step]));
            s3 = s3.add(p.mul(x[at + 3 * step]));
            t3 = t3.add(q.mul(x[at + 3 * step]));
            at += next;
            from += down;
        }
        s0.intoArray(o, to);
        t0.intoArray(o, to + WIDTH);
        s1.intoArray(o, to + line);
        t1.intoArray(o, to + line + WIDTH);
        s2.intoArray(o, to + 2 * line);
        t2.intoArray(o, to + 2 * line + WIDTH);
        s3.intoArray(o, to + 3 * line);
        t3.intoArray(o, to + 3 * line + WIDTH);
    }

    private static void tile(Matrix a, int i, Matrix b, int j, Matrix out) {
        double[] x = a.values();
        double[] v = b.values();
        int step = a.rowStep();
        int next = a.columnStep();
        int down = b.rowStep();
        int at = a.from() + i * step;
        int to = out.from() + i * out.rowStep() + j;
        int line = out.rowStep();
        double[] o = out.values();
        DoubleVector s0 = DoubleVector.fromArray(GROUP, o, to);
        DoubleVector s1 = DoubleVector.fromArray(GROUP, o, to + line);
        DoubleVector s2 = DoubleVector.fromArray(GROUP, o, to + 2 * line);
        DoubleVector s3 = DoubleVector.fromArray(GROUP, o, to + 3 * line);
        int from = b.from() + j;
        for (int k = b.rows(); k > 0; k--) {
            DoubleVector p = DoubleVector.fromArray(GROUP, v, from);
            s0 = s0.add(p.mul(x[at]));
            s1 = s1.add(p.mul(x[at + step]));
            s2 = s2.add(p.mul(x[at + 2 * step]));
            s3 = s3.add(p.mul(x[at + 3 * step]));
            at += next;
            from += down;
        }
        s0.intoArray(o, to);
        s1.intoArray(o, to + line);
        s2.intoArray(o, to + 2 * line);
        s3.intoArray(o, to + 3 * line);
    }

    private static void oneRow(Matrix a, int i, Matrix b, int j, Matrix out) {
        int to = out.from() + i * out.rowStep() + j;
        DoubleVector sum = DoubleVector.fromArray(GROUP, out.values(), to);
        int at = a.from() + i * a.rowStep();
        int from = b.from() + j;
        for (int k = b.rows(); k > 0; k--) {
            sum = sum.add(DoubleVector.fromArray(GROUP, b.values(), from).mul(a.values()[at]));
            at += a.columnStep();
            from += b.rowStep();
        }
        sum.intoArray(out.values(), to);
    }

    /** One column that fills no vector: four rows at a time, so that chains of sums overlap. */
    private static void column(Matrix a, Matrix b, int j, Matrix out) {
        int i = 0;
        for (; i + 4 <= out.rows(); i += 4) {
            fourSums(a, i, b, j, out);
        }
        for (; i < out.rows(); i++) {
            int to = out.from() + i * out.rowStep() + j;
            double sum = out.values()[to];
            for (int k = 0; k < b.rows(); k++) {
                sum += a.get(i, k) * b.get(k, j);
            }
            out.values()[to] = sum;
        }
    }

    private static void fourSums(Matrix a, int i, Matrix b, int j, Matrix out) {
        double[] x = a.values();
        double[] v = b.values();
        int step = a.rowStep();
        int at = a.from() + i * step;
        int from = b.from() + j;
        int to = out.from() + i * out.rowStep() + j;
        int line = out.rowStep();
        double[] o = out.values();
        double s0 = o[to];
        double s1 = o[to + line];
        double s2 = o[to + 2 * line];
        double s3 = o[to + 3 * line];
        for (int k = b.rows(); k > 0; k--) {
            double p = v[from];
            s0 += x[at] * p;
            s1 += x[at + step] * p;
            s2 += x[at + 2 * step] * p;
            s3 += x[at + 3 * step] * p;
            at += a.columnStep();
            from += b.rowStep();
        }
        o[to] = s0;
        o[to + line] = s1;
        o[to + 2 * line] = s2;
        o[to + 3 * line] = s3;
    }
}
