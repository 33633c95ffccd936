package holdfast.model;

import holdfast.data.Block;
import holdfast.data.LabelFunction;

/**
 * A loss f(theta; x, y) = l(u; y), differentiable in theta and x, where u are one or more scores of the row. Sums run over
 * the rows of a block, each times its weight; never over single rows. Pure: arguments are not written except where named
 * as output.
 *
 * <p>theta holds the weights of the features, then the intercepts if there are any, which are neither perturbed nor
 * penalised.
 */
public interface Model {
    Target target();

    /** In which unit labels are learnt. */
    default LabelUnit labelUnit() {
        return LabelUnit.NONE;
    }

    /** How many scores a row has. */
    int scoresPerRow();

    boolean hasIntercept();

    /** How many elements of theta are weights of features; they come first. */
    default int weights(int features) {
        return Math.multiplyExact(features, scoresPerRow());
    }

    /** The length of theta for data with this many feature columns. */
    default int parameters(int features) {
        return weights(features) + (hasIntercept() ? scoresPerRow() : 0);
    }

    /** Sum over j of w_j f(theta; x_j, y_j). */
    double loss(double[] theta, Block block);

    /** gradient += sum over j of w_j grad_theta f(theta; x_j, y_j). */
    void addGradient(double[] theta, Block block, double[] gradient);

    /** out[j*d .. j*d+d) = grad_x f(theta; x_j, y_j), unweighted, d = block.columns(). */
    void gradientInRows(double[] theta, Block block, double[] out);

    /** Sum over j of w_j grad_theta^2 f(theta; x_j, y_j), as a linear map that is never formed. */
    Curvature curvature(double[] theta, Block block);

    /** out[j*k .. j*k+k) = the scores of row j, k = {@link #scoresPerRow()}. */
    void scores(double[] theta, Block block, double[] out);

    /** A bound of ||l'(u; y)|| over |u| &lt;= reach and |y| &lt;= label. */
    double slopeBound(double reach, double label);

    /** {@code slopeBound(0, |y|)} by the label y. */
    LabelFunction slopeBound();

    /** A bound of ||l''(u; y)|| over |u| &lt;= reach and |y| &lt;= label. */
    double curvatureBound(double reach, double label);

    /**
     * Constants valid for weights and intercepts no longer than those of theta, rows no longer than {@code radius} and
     * labels no larger than {@code label}.
     */
    Smoothness smoothness(double[] theta, int features, double radius, double label);

    /** Whether the worst case of a row is infinite for every price of moving it, unless rows must stay in a box. */
    default boolean needsBox() {
        return false;
    }

    /** A symmetric, positive semi-definite matrix known by its products. */
    @FunctionalInterface
    interface Curvature {
        /** out += this v */
        void addTimes(double[] v, double[] out);
    }
}
