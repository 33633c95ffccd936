package holdfast.model;

import holdfast.data.Block;

/**
 * A loss f(theta; x, y), differentiable in theta and x. Sums run over the rows of a block, each times its weight; never
 * over single rows. Pure: arguments are not written except where named as output.
 */
public interface Model {
    /** The length of theta for data with this many feature columns. */
    int parameters(int features);

    /** Sum over j of w_j f(theta; x_j, y_j). */
    double loss(double[] theta, Block block);

    /** gradient += sum over j of w_j grad_theta f(theta; x_j, y_j). */
    void addGradient(double[] theta, Block block, double[] gradient);

    /** out[j*d .. j*d+d) = grad_x f(theta; x_j, y_j), unweighted, d = block.columns(). */
    void gradientInRows(double[] theta, Block block, double[] out);

    /** out[j] = the score by which row j is classified: positive means the class with label 1. */
    void scores(double[] theta, Block block, double[] out);

    /** The probability of label 1 at a score. */
    double probability(double score);

    /** Constants valid for parameters no longer than theta's features and rows no longer than {@code radius}. */
    Smoothness smoothness(double[] theta, int features, double radius);
}
