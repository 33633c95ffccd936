package holdfast.model;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Logistic;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * A loss f(theta; x, y) of parameters theta, a row x and its label y, differentiable in theta and in x. Methods take a
 * block of rows, never one row; sums run over the rows of the block, each times its weight. Pure: writes to no
 * argument, except those named as output.
 *
 * <p>Nothing else is assumed: a model need be neither convex nor linear. {@link LinearScores} adds what only models
 * linear in their scores can say (bounds, the layout of theta, exact shifts); code that needs this asks for that
 * interface, or refuses the model.
 */
public interface Model {
    /** The kind of label that the model predicts. */
    Target target();

    /** The unit in which labels are learnt. */
    default LabelUnit labelUnit() {
        return LabelUnit.NONE;
    }

    /**
     * How many scores a row has: one for a number or a count, one for two classes (the larger, the more it is the
     * second), or one for each class (the largest is the class predicted).
     */
    int scoresPerRow();

    /** The length of theta for data with this many feature columns. */
    int parameters(int features);

    /** How many elements of theta the L2 penalty covers; these come first. */
    default int penalised(int features) {
        return parameters(features);
    }

    /**
     * theta before the first round; zeros by default. A model whose gradient vanishes at zero draws its start from the
     * seed.
     */
    default double[] start(int features, Seed seed) {
        return new double[parameters(features)];
    }

    /** out[j] = f(theta; x_j, y_j), unweighted. */
    void losses(double[] theta, Block block, double[] out);

    /** Sum over j of w_j f(theta; x_j, y_j). */
    default double loss(double[] theta, Block block) {
        int n = block.rows();
        double[] losses = new double[n];
        losses(theta, block, losses);
        return block.weights() == null ? Vectors.sum(losses, n) : Vectors.dot(losses, block.weights(), n);
    }

    /** gradient += sum over j of w_j grad_theta f(theta; x_j, y_j). */
    void addGradient(double[] theta, Block block, double[] gradient);

    /** out[j*d .. j*d+d) = grad_x f(theta; x_j, y_j), unweighted, d = block.columns(). */
    void gradientInRows(double[] theta, Block block, double[] out);

    /**
     * Returns {@link #gradientInRows} at one theta, for many blocks one after the other on one thread: an ascent asks at
     * every step. A model overrides it to keep what depends on theta alone and its temporary arrays.
     */
    default RowGradient rowGradient(double[] theta, int features) {
        return (block, out) -> gradientInRows(theta, block, out);
    }

    /** The gradient in rows at one theta. */
    @FunctionalInterface
    interface RowGradient {
        /** out[j*d .. j*d+d) = grad_x f(theta; x_j, y_j), unweighted, d = block.columns(). */
        void at(Block block, double[] out);
    }

    /**
     * Returns products with the Hessians in the rows at one theta, grad_x^2 f(theta; x_j, y_j). The default takes differences of the
     * gradients a little ahead and behind, (grad f(x + hv) - grad f(x - hv)) / 2h, which are as good if f is smooth and v about
     * as long as 1. The products keep temporary arrays, so each thread needs its own.
     */
    default RowHessian rowHessian(double[] theta, int features) {
        return RowHessian.byDifferences(rowGradient(theta, features));
    }

    /** Products with the Hessians in the rows at one theta. */
    @FunctionalInterface
    interface RowHessian {
        /** out[j*d .. j*d+d) = grad_x^2 f(theta; x_j, y_j) v_j, v as {@code out}; weights do not count. */
        void times(Block block, double[] v, double[] out);

        private static RowHessian byDifferences(RowGradient gradient) {
            // Far above the rounding of scaled features, and the curvature changes little within it.
            double h = 1e-4;
            return (block, v, out) -> {
                double[] x = block.filled("use --lambda none");
                double[] behind = new double[x.length];
                double[] z = new double[x.length];
                Block moved = new DenseBlock(block.columns(), z, block.labels(), null);
                Arrays.setAll(z, i -> x[i] - h * v[i]);
                gradient.at(moved, behind);
                Arrays.setAll(z, i -> x[i] + h * v[i]);
                gradient.at(moved, out);
                Arrays.setAll(out, i -> (out[i] - behind[i]) / (2 * h));
            };
        }
    }

    /** out[j*k .. j*k+k) = the scores of row j, k = {@link #scoresPerRow()}. */
    void scores(double[] theta, Block block, double[] out);

    /**
     * Sum over j of w_j grad_theta^2 f(theta; x_j, y_j), as a linear map that is never formed. If the loss is not convex
     * in theta, a positive semi-definite matrix in its place, such as Gauss and Newton's: Newton steps solve with it by
     * conjugate gradients, which would follow a negative curvature uphill.
     *
     * @throws InputException if the model does not know it, which is the default
     */
    default Curvature curvature(double[] theta, Block block) {
        throw new InputException("--update newton needs a model with a known curvature, and " + name()
                + " has none; use gradient or delta");
    }

    /**
     * Constants valid for parameters no longer than theta (its weights and its intercepts each), rows no longer than
     * {@code radius}, which may be infinite, and labels no larger than {@code label}. By default
     * {@link Smoothness#UNKNOWN}: nothing is then guaranteed about the convergence of a run.
     */
    default Smoothness smoothness(double[] theta, int features, double radius, double label) {
        return Smoothness.UNKNOWN;
    }

    /**
     * Whether f(theta; x, y) is convex in x for every theta. The ascent to the worst case may then take steps up to
     * 2/lambda, however large L_zz is; otherwise only shorter ones are sure to rise, see
     * {@link holdfast.objective.GradientAscent}.
     */
    default boolean convexInRows() {
        return false;
    }

    /** Returns a number that no loss of a row with |y| &lt;= label is below; minus infinity if none is known. */
    default double leastLoss(double label) {
        return Double.NEGATIVE_INFINITY;
    }

    /** Whether the worst case of a row is infinite for every price of moving it, unless rows must stay in a box. */
    default boolean needsBox() {
        return false;
    }

    /**
     * The label to expect at a score, for a model with one score per row: the score u itself for a number, e^u for a
     * count, the probability sigma(u) of the second of two classes. NaN where a score means none of these.
     */
    default double expected(double score) {
        return switch (target()) {
            case COUNT -> Logistic.exp(score);
            case TWO_CLASSES -> Logistic.sigmoid(score);
            default -> score;
        };
    }

    /**
     * Whether scores give probabilities of classes: sigma(u) of one score, softmax of several. False by default,
     * because a margin is no probability.
     */
    default boolean givesProbabilities() {
        return false;
    }

    /** The name of the model in messages. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * The parameters with which a catalogue makes this model, by name, without what the plan and the data decide: the
     * intercept and the number of classes. Two models of a class with the same parameters must be the same. Empty, the
     * default, if no catalogue makes it: then a plan has no name for it.
     */
    default Optional<Map<String, ?>> catalogueParameters() {
        return Optional.empty();
    }

    /** A symmetric, positive semi-definite matrix known by its products. */
    @FunctionalInterface
    interface Curvature {
        /** out += this v */
        void addTimes(double[] v, double[] out);
    }
}
