package holdfast.math;

import static holdfast.math.VectorKernels.GROUP;
import static holdfast.math.VectorKernels.STRIP;
import static holdfast.math.VectorKernels.WIDTH;
import static holdfast.math.VectorKernels.ZEROS;
import static holdfast.math.VectorKernels.total;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The products of {@link VectorKernels} for rows of floats. The loops are the same, except that values become doubles
 * as they are loaded; Java has no way to write one loop for both.
 */
final class VectorFloats {
    /** As many floats as a group has doubles. */
    private static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(GROUP.vectorBitSize() / 2));

    private VectorFloats() {}

    /** Computes the scores of all rows except those beyond the last multiple of four. */
    static void times(float[] x, int from, int rows, int n, double[] theta, double[] out) {
        double[] lanes = new double[32];
        int quarter = rows / 4;
        for (int j = 0; j < quarter; j++) {
            fourRows(x, from + j * n, quarter * n, n, theta, lanes);
            out[j] = total(lanes, 0);
            out[j + quarter] = total(lanes, 8);
            out[j + 2 * quarter] = total(lanes, 16);
            out[j + 3 * quarter] = total(lanes, 24);
        }
    }

    private static void fourRows(float[] x, int a, int apart, int n, double[] theta, double[] lanes) {
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
                    sa = sa.add(widened(x, a + i).mul(t));
                    sb = sb.add(widened(x, b + i).mul(t));
                    sc = sc.add(widened(x, c + i).mul(t));
                    sd = sd.add(widened(x, d + i).mul(t));
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

    static void addTransposed(float[] x, int from, int rows, int n, double[] r, double[] into) {
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

    private static void addFour(float[] x, int a, int n, double ra, double rb, double rc, double rd, double[] into) {
        int b = a + n;
        int c = b + n;
        int d = c + n;
        int full = GROUP.loopBound(n);
        for (int i = 0; i < full; i += WIDTH) {
            DoubleVector.fromArray(GROUP, into, i)
                    .add(widened(x, a + i).mul(ra))
                    .add(widened(x, b + i).mul(rb))
                    .add(widened(x, c + i).mul(rc))
                    .add(widened(x, d + i).mul(rd))
                    .intoArray(into, i);
        }
        for (int i = full; i < n; i++) {
            into[i] = (((into[i] + ra * x[a + i]) + rb * x[b + i]) + rc * x[c + i]) + rd * x[d + i];
        }
    }

    private static DoubleVector widened(float[] x, int at) {
        return (DoubleVector) FloatVector.fromArray(FLOATS, x, at).convertShape(VectorOperators.F2D, GROUP, 0);
    }
}
