package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Kernels;
import holdfast.math.Vectors;
import holdfast.model.SoftmaxRegression;
import java.util.Arrays;

/**
 * The iterates of {@link GradientAscent} for softmax regression, at O(k d + T k^2) instead of O(T k d) per row: grad_z
 * f = W^T (p - e_y), so z = x + A^-1 W^T s throughout, and the ascent is {@code s <- s + eta_z q} with q = p(u + G s) - e_y
 * - lambda s, u = W x + intercepts and G = W A^-1 W^T. All rows of a block take each step together.
 *
 * <p>With eta_z = 1/lambda a step maximises the linearisation of f at z less the cost, the concave-convex procedure
 * (Yuille, Rangarajan 2003): f is convex in z, so f - lambda c never falls, also where lambda &lt;= L_zz.
 */
public final class SubspaceRecurrence implements InnerMaximiser {
    private final SoftmaxRegression model;
    private final double lambda;
    private final double rate;
    private final WeightedL2 cost;

    /** The subspace of the last theta: all blocks of all workers of a round have the same theta. */
    private volatile Subspace last;

    /** With the paper's cost. */
    public SubspaceRecurrence(SoftmaxRegression model, double lambda, double rate) {
        this(model, lambda, rate, WeightedL2.EQUAL);
    }

    public SubspaceRecurrence(SoftmaxRegression model, double lambda, double rate, WeightedL2 cost) {
        Ascent.check(lambda, rate);
        this.model = model;
        this.lambda = lambda;
        this.rate = rate;
        this.cost = cost;
    }

    /**
     * What depends on theta alone.
     *
     * @param w by class
     * @param directions A^-1 w by class, one after the other
     * @param gram G
     * @param zz L_zz in the norm of the cost
     */
    private record Subspace(double[] theta, double[][] w, double[] directions, double[][] gram, double zz) {}

    private Subspace subspace(double[] theta, int features) {
        Subspace known = last;
        if (known == null || !Arrays.equals(known.theta, theta)) {
            double[][] w = model.weightsByClass(theta, features);
            cost.requireFits(features);
            double[] directions = theta.clone();
            for (int c = 0; c < w.length; c++) {
                cost.turn(directions, c * features, features);
            }
            double[][] gram =
                    SoftmaxRegression.gram(model.weightsByClass(cost.scaled(theta, model, features), features));
            known = new Subspace(theta.clone(), w, directions, gram, model.zz(gram));
            last = known;
        }
        return known;
    }

    @Override
    public double lambda() {
        return lambda;
    }

    /** eta_z */
    public double rate() {
        return rate;
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int n = block.rows();
        int d = block.columns();
        Subspace space = subspace(theta, d);
        int all = model.scoresPerRow() * n;
        double[] along = new double[all];
        double[] u = new double[all];
        double[] own = new double[n];
        for (int c = 0; c < space.w.length; c++) {
            block.times(space.w[c], own);
            System.arraycopy(own, 0, along, c * n, n);
            double b = model.intercept(theta, d, c);
            for (int j = 0; j < n; j++) {
                u[c * n + j] = own[j] + b;
            }
        }
        double[] s = new double[all];
        double[] q = new double[all];
        double[] turned = new double[all];
        Ascent ascent = new Ascent(effort, lambda, lambda - space.zz);
        while (true) {
            System.arraycopy(u, 0, turned, 0, all);
            model.slopes(turned, block.labels(), q, n);
            Vectors.addScaled(q, -lambda, s, all);
            // One product both measures the gradient W^T q, by q . G q, and moves the scores.
            Kernels.CHOSEN.product(space.gram, q, turned, n);
            if (ascent.stopsAt(() -> steepest(q, turned, n))) {
                break;
            }
            Vectors.addScaled(s, rate, q, all);
            Vectors.addScaled(u, rate, turned, all);
        }
        double steepest = steepest(q, turned, n);
        Kernels.CHOSEN.product(space.gram, s, turned, n);
        return new WorstCase(
                new MovedBlock(block, s, space.directions, theta, along),
                Vectors.scaled(0.5, products(s, turned, n)),
                ascent.precision(steepest));
    }

    /** Returns the longest A^-1 W^T q, bounded by its length sqrt(q . G q) in the norm of the cost. */
    private double steepest(double[] q, double[] turned, int n) {
        return Math.sqrt(Vectors.maxAbs(products(q, turned, n), n) / cost.least());
    }

    /** Returns the inner product over the classes for each row. */
    private static double[] products(double[] a, double[] b, int n) {
        double[] out = new double[n];
        for (int from = 0; from < a.length; from += n) {
            for (int j = 0; j < n; j++) {
                out[j] += a[from + j] * b[from + j];
            }
        }
        return out;
    }
}
