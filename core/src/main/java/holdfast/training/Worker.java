package holdfast.training;

import holdfast.data.Dataset;
import holdfast.worstcase.RobustLoss;
import holdfast.worstcase.ShardSums;

/** Whoever holds a shard: answers with the gradient of the robust loss on its own rows (Algorithm 2, lines 4 to 7). */
public record Worker(int id, Dataset shard, RobustLoss loss) {

    public WorkerReply answer(RoundRequest request) {
        double[] theta = request.theta();
        ShardSums sums = loss.sums(theta, shard, request.round(), request.withLoss());
        return new WorkerReply.Update(
                id,
                loss.gradient(theta, sums, shard.columns()),
                loss.value(theta, sums, shard.columns()),
                sums.precision());
    }
}
