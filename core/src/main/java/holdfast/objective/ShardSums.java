package holdfast.objective;

import holdfast.math.Vectors;

/**
 * Sums over some blocks of a shard. Such sums may be merged, so a shard can be computed in pieces. Whole updates of
 * workers must not be merged: that is aggregation.
 *
 * @param gradient sum of w_j grad_theta f(theta; z_j)
 * @param duals sum of the gradients in the objective's own variables; empty if it has none
 * @param loss sum of w_j (f(theta; z_j) - lambda c(z_j, x_j)), NaN if not asked for
 * @param rows number of rows
 * @param precision the largest bound on ||z_j - z_j*||
 */
public record ShardSums(double[] gradient, double[] duals, double loss, long rows, double precision) {
    private static final double[] NONE = {};

    /** Sums for an objective without variables of its own. */
    public ShardSums(double[] gradient, double loss, long rows, double precision) {
        this(gradient, NONE, loss, rows, precision);
    }

    ShardSums withoutDuals() {
        return new ShardSums(gradient, loss, rows, precision);
    }

    /** Adds the other's sums into this one's arrays; the caller must not use either again. */
    public ShardSums merge(ShardSums other) {
        return new ShardSums(
                Vectors.add(gradient, other.gradient),
                Vectors.add(duals, other.duals),
                loss + other.loss,
                rows + other.rows,
                Math.max(precision, other.precision));
    }
}
