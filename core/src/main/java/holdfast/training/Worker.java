package holdfast.training;

import holdfast.data.Dataset;
import holdfast.worstcase.RobustLoss;
import holdfast.worstcase.ShardSums;

/**
 * Whoever holds a shard: answers with the gradient of the robust loss on its own rows (Algorithm 2, lines 4 to 7), or on a
 * batch of them; a loss that is asked for is that of all its rows.
 */
public record Worker(int id, Dataset shard, RobustLoss loss, Batch batch) {

    /** A worker that looks at all its rows. */
    public Worker(int id, Dataset shard, RobustLoss loss) {
        this(id, shard, loss, Batch.ALL);
    }

    public WorkerReply answer(RoundRequest request) {
        double[] theta = request.theta();
        Dataset rows = batch.of(id, shard, request.round());
        boolean whole = rows == shard;
        ShardSums sums = loss.sums(theta, rows, request.round(), request.withLoss() && whole);
        ShardSums all = whole || !request.withLoss() ? sums : loss.sums(theta, shard, request.round(), true);
        return new WorkerReply.Update(
                id,
                loss.gradient(theta, sums, shard.columns()),
                loss.value(theta, all, shard.columns()),
                sums.precision());
    }
}
