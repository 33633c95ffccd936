package holdfast.worstcase;

import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Vectors;
import holdfast.model.SoftmaxRegression;
import java.util.Arrays;

/**
 * The iterates of {@link GradientAscent} for softmax regression, at O(k d + T k^2) instead of O(T k d) per row: grad_z f =
 * W^T (p - e_y), so z = x + W^T s throughout, and the ascent is {@code s <- s + eta_z q} with q = p(u + G s) - e_y - lambda
 * s, u = W x + intercepts and G = W W^T. All rows of a block take each step together.
 *
 * <p>With eta_z = 1/lambda a step maximises the linearisation of f at z less the cost, the concave-convex procedure (Yuille,
 * Rangarajan 2003): f is convex in z, so f - lambda c never falls, also where lambda &lt;= L_zz.
 */
public record SubspaceRecurrence(SoftmaxRegression model, double lambda, double rate) implements InnerMaximiser {
    public SubspaceRecurrence {
        Ascent.check(lambda, rate);
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int rows = block.rows();
        int d = block.columns();
        int k = model.scoresPerRow();
        double[][] w = model.weightsByClass(theta, d);
        double[][] gram = SoftmaxRegression.gram(w);
        double[][] along = new double[k][rows];
        double[][] u = new double[k][rows];
        for (int c = 0; c < k; c++) {
            block.times(w[c], along[c]);
            double b = model.intercept(theta, d, c);
            for (int j = 0; j < rows; j++) {
                u[c][j] = along[c][j] + b;
            }
        }
        double[][] s = new double[k][rows];
        double[][] q = new double[k][rows];
        double[][] turned = new double[k][rows];
        Ascent ascent = new Ascent(effort, lambda, model.zz(gram));
        while (true) {
            copy(u, turned);
            model.slopes(turned, block.labels(), q, rows);
            addScaled(q, -lambda, s);
            // One product both measures the gradient W^T q, by q . G q, and moves the scores.
            times(gram, q, turned);
            if (ascent.stopsAt(() -> Math.sqrt(Vectors.maxAbs(products(q, turned), rows)))) {
                break;
            }
            addScaled(s, rate, q);
            addScaled(u, rate, turned);
        }
        double steepest = Math.sqrt(Vectors.maxAbs(products(q, turned), rows));
        times(gram, s, turned);
        return new WorstCase(
                new MovedBlock(block, s, w, along),
                Vectors.scaled(0.5, products(s, turned)),
                ascent.precision(steepest));
    }

    private static void copy(double[][] from, double[][] to) {
        for (int c = 0; c < to.length; c++) {
            System.arraycopy(from[c], 0, to[c], 0, to[c].length);
        }
    }

    private static void addScaled(double[][] target, double factor, double[][] a) {
        for (int c = 0; c < target.length; c++) {
            Vectors.addScaled(target[c], factor, a[c], a[c].length);
        }
    }

    /** out = G v, row by row. */
    private static void times(double[][] gram, double[][] v, double[][] out) {
        for (int c = 0; c < gram.length; c++) {
            Arrays.fill(out[c], 0);
            for (int b = 0; b < gram.length; b++) {
                Vectors.addScaled(out[c], gram[c][b], v[b], v[b].length);
            }
        }
    }

    /** The inner products of each row's elements over the classes. */
    private static double[] products(double[][] a, double[][] b) {
        double[] out = new double[a[0].length];
        for (int c = 0; c < a.length; c++) {
            for (int j = 0; j < out.length; j++) {
                out[j] += a[c][j] * b[c][j];
            }
        }
        return out;
    }
}
