package holdfast.model;

import holdfast.data.Block;
import holdfast.math.Matrix;
import holdfast.math.Scratch;
import java.util.Arrays;

/**
 * Forward and backward passes of a {@link NeuralNetwork} at one theta, over one block after the other. What a forward
 * pass computes is there until the next one of any network on the same thread: threads keep the arrays, unless they are
 * large, so that all passes but the first allocate nothing but what the loss on top does.
 *
 * <p>For layer l with the values H_l of the layer before (H_0 = X): A_l = H_l W_l + b_l, H_{l+1} = sigma(A_l), and the
 * last A is U, the scores. Backwards: D_last = l'(U), D_{l-1} = (D_l W_l^T) * sigma'(A_{l-1}), grad W_l = H_l^T D_l,
 * grad b_l = 1^T D_l, grad X = D_0 W_0^T. Arrays hold row after row.
 */
final class NetworkPass {
    private static final double[] NONE = {};
    private static final ThreadLocal<Scratch> KEPT = ThreadLocal.withInitial(() -> new Scratch(1 << 20));

    private final NetworkLayout layout;
    private final Activation activation;
    private final LinearScores top;
    private final double[] theta;
    private final int last;
    private final double[][] values;
    private final double[][] slopes;
    /** D by layer; before, A of the hidden layers; also temporary space. */
    private final double[][] errors;
    /** The transposed weights of each layer, for going backwards. */
    private final Matrix[] turned;
    /** U */
    private double[] scores = NONE;

    private double[] byClass = NONE;
    private double[] slopesByClass = NONE;
    private int rows;
    /** For how many rows there are arrays. */
    private int reserved;

    NetworkPass(NetworkLayout layout, Activation activation, LinearScores top, double[] theta) {
        this.layout = layout;
        this.activation = activation;
        this.top = top;
        this.theta = theta;
        this.last = layout.layers() - 1;
        this.values = new double[last][];
        this.slopes = new double[last][];
        this.errors = new double[last + 1][];
        this.turned = new Matrix[last + 1];
    }

    private void reserve(int n) {
        rows = n;
        if (n <= reserved) {
            return; // The thread makes large arrays anew each time.
        }
        reserved = n;
        Scratch scratch = KEPT.get();
        int array = 0;
        for (int l = 0; l <= last; l++) {
            int size = Math.multiplyExact(n, layout.size(l + 1));
            errors[l] = scratch.array(array++, size);
            if (l < last) {
                values[l] = scratch.array(array++, size);
                slopes[l] = scratch.array(array++, size);
            } else {
                scores = scratch.array(array++, size);
                byClass = scratch.array(array++, size);
                slopesByClass = scratch.array(array++, size);
            }
        }
    }

    private Matrix of(double[] array, int layer) {
        return Matrix.of(array, 0, rows, layout.size(layer + 1));
    }

    /** Computes the sums, values and slopes of all layers. */
    void forward(Block block) {
        reserve(block.rows());
        for (int l = 0; l <= last; l++) {
            int size = layout.size(l + 1);
            double[] sums = l < last ? errors[l] : scores;
            for (int j = 0; j < rows; j++) {
                System.arraycopy(theta, layout.biasesAt(l), sums, j * size, size);
            }
            Matrix weights = layout.weights(theta, l);
            if (l == 0) {
                block.addProduct(weights, of(sums, 0));
            } else {
                of(sums, l).addProduct(of(values[l - 1], l - 1), weights);
            }
            if (l < last) {
                activation.apply(sums, values[l], slopes[l], rows * size);
            }
        }
    }

    /** The scores of the rows, row after row. */
    void scores(double[] out) {
        System.arraycopy(scores, 0, out, 0, rows * layout.size(last + 1));
    }

    void losses(double[] labels, double[] out) {
        exchange(scores, byClass, rows, layout.size(last + 1));
        top.scoreLosses(byClass, labels, out, rows);
    }

    /** Puts l'(U) into the errors of the last layer, each row times its weight. */
    void slopesOnTop(double[] labels, double[] weights) {
        int k = layout.size(last + 1);
        exchange(scores, byClass, rows, k);
        top.slopes(byClass, labels, slopesByClass, rows);
        fromTop(slopesByClass, weights);
    }

    /** Puts numbers by class into the errors of the last layer, each row times its weight. */
    private void fromTop(double[] numbers, double[] weights) {
        int k = layout.size(last + 1);
        exchange(numbers, errors[last], k, rows);
        for (int j = 0; weights != null && j < rows; j++) {
            for (int c = 0; c < k; c++) {
                errors[last][j * k + c] *= weights[j];
            }
        }
    }

    /** Goes from the errors of the last layer back to those of the first. */
    void backward() {
        for (int l = last; l > 0; l--) {
            int size = rows * layout.size(l);
            double[] below = errors[l - 1];
            Arrays.fill(below, 0, size, 0);
            of(below, l - 1).addProduct(of(errors[l], l), turned(l));
            double[] slope = slopes[l - 1];
            for (int i = 0; i < size; i++) {
                below[i] *= slope[i];
            }
        }
    }

    void addGradient(Block block, double[] gradient) {
        for (int l = 0; l <= last; l++) {
            Matrix error = of(errors[l], l);
            Matrix into = layout.weights(gradient, l);
            if (l == 0) {
                block.addTransposedProduct(error, into);
            } else {
                into.addProduct(of(values[l - 1], l - 1).transposed(), error);
            }
            Matrix biases = Matrix.of(gradient, layout.biasesAt(l), 1, layout.size(l + 1));
            for (int j = 0; j < rows; j++) {
                biases.addRow(0, 1, error, j);
            }
        }
    }

    void gradientInRows(double[] out) {
        int d = layout.size(0);
        Arrays.fill(out, 0, rows * d, 0);
        Matrix.of(out, 0, rows, d).addProduct(of(errors[0], 0), turned(0));
    }

    /**
     * Adds to {@code out} the product of the Gauss-Newton matrix, J^T l''(U) J for the derivative J of the scores in
     * theta, with a direction: forward along the direction, then backward as the gradient goes.
     */
    void addGaussNewton(Block block, double[] direction, double[] out) {
        for (int l = 0; l <= last; l++) {
            int size = layout.size(l + 1);
            double[] along = errors[l];
            for (int j = 0; j < rows; j++) {
                System.arraycopy(direction, layout.biasesAt(l), along, j * size, size);
            }
            Matrix to = of(along, l);
            if (l == 0) {
                block.addProduct(layout.weights(direction, 0), to);
            } else {
                to.addProduct(of(values[l - 1], l - 1), layout.weights(direction, l));
                to.addProduct(of(errors[l - 1], l - 1), layout.weights(theta, l));
            }
            for (int i = 0; l < last && i < rows * size; i++) {
                along[i] *= slopes[l][i];
            }
        }
        int k = layout.size(last + 1);
        exchange(scores, byClass, rows, k);
        exchange(errors[last], slopesByClass, rows, k);
        top.bend(byClass, block.labels(), slopesByClass, rows);
        fromTop(slopesByClass, block.weights());
        backward();
        addGradient(block, out);
    }

    /**
     * Computes the Hessian in each row times a direction V: how the backward pass changes as the rows move along V (Pearlmutter
     * 1994). A_l changes by A'_l = H'_l W_l, H'_0 = V, and H_{l+1} by H'_{l+1} = sigma'(A_l) * A'_l; D_last by D'_last = l''(U) U', and
     * D_{l-1} by D'_{l-1} = (D'_l W_l^T) * sigma'(A_{l-1}) + (D_l W_l^T) * sigma''(A_{l-1}) * A'_{l-1}; out = D'_0 W_0^T.
     */
    void hessianInRows(Block block, double[] direction, double[] out) {
        forward(block);
        double[][] turns = new double[last][]; // sigma''(A_l) * A'_l
        double[] along = direction;
        for (int l = 0; l <= last; l++) {
            int size = rows * layout.size(l + 1);
            double[] next = new double[size];
            of(next, l).addProduct(of(along, l - 1), layout.weights(theta, l));
            if (l < last) {
                turns[l] = new double[size];
                activation.bends(errors[l], turns[l], size);
                for (int i = 0; i < size; i++) {
                    turns[l][i] *= next[i];
                    next[i] *= slopes[l][i];
                }
            }
            along = next;
        }
        int k = layout.size(last + 1);
        slopesOnTop(block.labels(), null);
        exchange(scores, byClass, rows, k);
        exchange(along, slopesByClass, rows, k);
        top.bend(byClass, block.labels(), slopesByClass, rows);
        exchange(slopesByClass, along, k, rows);
        for (int l = last; l > 0; l--) {
            int size = rows * layout.size(l);
            double[] below = errors[l - 1];
            Arrays.fill(below, 0, size, 0);
            of(below, l - 1).addProduct(of(errors[l], l), turned(l));
            double[] next = new double[size];
            of(next, l - 1).addProduct(of(along, l), turned(l));
            for (int i = 0; i < size; i++) {
                next[i] = next[i] * slopes[l - 1][i] + below[i] * turns[l - 1][i];
                below[i] *= slopes[l - 1][i];
            }
            along = next;
        }
        Arrays.fill(out, 0, rows * layout.size(0), 0);
        of(out, -1).addProduct(of(along, 0), turned(0));
    }

    private Matrix turned(int l) {
        if (turned[l] == null) {
            Matrix weights = layout.weights(theta, l);
            double[] copy = new double[weights.rows() * weights.columns()];
            weights.transposed().copyInto(copy);
            turned[l] = Matrix.of(copy, 0, weights.columns(), weights.rows());
        }
        return turned[l];
    }

    /** out[c*n + j] = a[j*k + c]; the other way round with n and k exchanged. */
    private static void exchange(double[] a, double[] out, int n, int k) {
        if (k == 1 || n == 1) {
            System.arraycopy(a, 0, out, 0, n * k);
            return;
        }
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < k; c++) {
                out[c * n + j] = a[j * k + c];
            }
        }
    }
}
