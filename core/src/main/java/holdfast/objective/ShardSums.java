package holdfast.objective;

import holdfast.math.Vectors;

/**
 * Sums over some blocks of a shard. Sums may be merged, so a shard can be computed in pieces; whole updates of workers
 * may not, that is aggregation.
 *
 * @param gradient sum of w_j grad_theta f(theta; z_j)
 * @param loss sum of w_j (f(theta; z_j) - lambda c(z_j, x_j)), NaN if not asked for
 * @param rows number of rows
 * @param precision the largest bound on ||z_j - z_j*||
 */
public record ShardSums(double[] gradient, double loss, long rows, double precision) {

    /** Adds the other's gradient into this one's array: both belong to the merge. */
    public ShardSums merge(ShardSums other) {
        return new ShardSums(
                Vectors.add(gradient, other.gradient),
                loss + other.loss,
                rows + other.rows,
                Math.max(precision, other.precision));
    }
}
