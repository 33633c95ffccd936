package holdfast.objective;

import holdfast.InputException;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.model.Model;
import java.util.List;

/**
 * What a worker minimises on its shard: F_i(theta, mu), a mean over its rows and a penalty. Everything that depends on
 * the rows is a sum that merges along the fixed tree of blocks, so a shard may be summed in pieces, wherever they are.
 *
 * <p>mu are the objective's own variables, if it has any: the lambda of a trained radius, the threshold of CVaR. They
 * travel with theta in requests, their gradients with the updates in replies, and both are part of a checkpoint. The
 * server averages the gradients in mu coordinate by coordinate, after dropping as many of the largest and of the
 * smallest as there may be liars, and asks {@link #nextDuals} for the next mu. In the place of a gradient there may be
 * another mean over rows, if a better step than the gradient's follows from it.
 *
 * <p>Pure: writes to no argument.
 */
public interface Objective {
    Model model();

    /** Sums over the blocks below one node of the tree of a shard's blocks. */
    ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss);

    /** Sums over a whole shard. */
    default ShardSums sums(Iterate at, Dataset shard, boolean withLoss) {
        return sums(at, shard.blocks(), withLoss);
    }

    /** The gradient of F_i in theta from the sums over the shard. */
    double[] gradient(Iterate at, ShardSums sums, int features);

    /** F_i from the sums over the shard, which must include the loss. */
    double value(Iterate at, ShardSums sums, int features);

    /**
     * Returns the mean loss on rows that were set aside, without penalty.
     *
     * @param sums over these rows, including the loss
     */
    default double validationLoss(Iterate at, ShardSums sums) {
        return sums.loss() / sums.rows();
    }

    /** mu at the start; none by default. */
    default double[] startDuals() {
        return new double[0];
    }

    /** The gradient of F_i in mu, or what {@link #nextDuals} needs instead, from the sums over the shard. */
    default double[] dualGradient(Iterate at, ShardSums sums) {
        double[] gradient = sums.duals().clone();
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] /= sums.rows();
        }
        return gradient;
    }

    /**
     * Whether the value at these mu can be compared with later ones. It cannot be while an objective has yet to learn
     * from the rows where its mu should be.
     */
    default boolean isComparable(double[] duals) {
        return true;
    }

    /**
     * mu after a round, within its domain.
     *
     * @param gradient combined from the workers' {@link #dualGradient}s
     * @param step the server's step size in this round
     */
    default double[] nextDuals(double[] duals, double[] gradient, double step) {
        return duals;
    }

    /**
     * About how far the value is above its least one over mu, at the same theta, as far as the combined reports show; 0 if
     * nothing is known about it. A run ends as converged only if this is small too.
     *
     * @param reports combined from the workers' {@link #dualGradient}s at these mu
     */
    default double dualGap(double[] duals, double[] reports) {
        return 0;
    }

    /**
     * A Newton step on some rows: (H + damping I)^-1 gradient.
     *
     * @throws InputException if the objective does not know its curvature
     */
    default double[] newton(Iterate at, Dataset rows, double[] gradient, double damping) {
        throw new InputException("--update newton needs an objective with a known curvature; use gradient or delta");
    }

    /** @throws InputException for rows that it cannot serve */
    default void requireServes(Block block) {}
}
