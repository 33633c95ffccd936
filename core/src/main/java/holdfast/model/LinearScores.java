package holdfast.model;

import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.LabelFunction;
import java.util.Arrays;

/**
 * A model linear in its scores: f(theta; x, y) = l(u; y) with u = W x (+ intercepts) and l convex in u. Such models
 * also know the layout of theta, bounds on l' and l'', and exact worst-case moves within a ball.
 *
 * <p>theta holds the weights, score after score, then one intercept per score if there are any. Intercepts are neither
 * perturbed nor penalised.
 */
public interface LinearScores extends Model {
    boolean hasIntercept();

    /** How many elements of theta are weights of features; the weights come first. */
    default int weights(int features) {
        return Math.multiplyExact(features, scoresPerRow());
    }

    /** Returns a copy of the weights of one score. */
    default double[] weights(double[] theta, int features, int score) {
        return Arrays.copyOfRange(theta, score * features, (score + 1) * features);
    }

    /** The intercept of one score, 0 if there is none. */
    default double intercept(double[] theta, int features, int score) {
        return hasIntercept() ? theta[weights(features) + score] : 0;
    }

    @Override
    default int parameters(int features) {
        return weights(features) + (hasIntercept() ? scoresPerRow() : 0);
    }

    @Override
    default int penalised(int features) {
        return weights(features);
    }

    @Override
    default boolean convexInRows() {
        return true;
    }

    /** Losses of labels that scores approach are not negative, except where a model says otherwise. */
    @Override
    default double leastLoss(double label) {
        return 0;
    }

    /**
     * out[j] = l(u_j; y_j) for rows j &lt; n. Here and in the next two methods scores are kept by class, u[c*n + j] for
     * score c of row j, and they need not come from a linear map: a {@link NeuralNetwork} puts l on top of its layers.
     *
     * @param u is used up
     */
    void scoreLosses(double[] u, double[] labels, double[] out, int n);

    /** out = grad_u l, laid out as u; {@code u} is used up, and {@code out} must be another array. */
    void slopes(double[] u, double[] labels, double[] out, int n);

    /** t &lt;- l''(u) t for each row, laid out as u; {@code u} is used up. */
    void bend(double[] u, double[] labels, double[] t, int n);

    /** Returns a bound on ||l'(u; y)|| over |u| &lt;= reach and |y| &lt;= label. */
    double slopeBound(double reach, double label);

    /** {@code slopeBound(0, |y|)} as a function of the label y. */
    LabelFunction slopeBound();

    /** Returns a bound on ||l''(u; y)|| over |u| &lt;= reach and |y| &lt;= label. */
    double curvatureBound(double reach, double label);

    /**
     * Returns which of the scores u + reach and u - reach has the larger loss, as the sign of the change, for a model
     * with one score. l is convex, so no score between them is worse.
     */
    default double worseSide(double u, double label, double reach) {
        // A row of one feature with weight 1 can have any score.
        double[] one = new double[parameters(1)];
        one[0] = 1;
        double above = loss(one, new DenseBlock(1, new double[] {u + reach}, new double[] {label}, null));
        double below = loss(one, new DenseBlock(1, new double[] {u - reach}, new double[] {label}, null));
        return above >= below ? 1 : -1;
    }

    @Override
    Curvature curvature(double[] theta, Block block);

    @Override
    Smoothness smoothness(double[] theta, int features, double radius, double label);
}
