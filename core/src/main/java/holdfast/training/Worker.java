package holdfast.training;

import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.worstcase.RobustLoss;
import holdfast.worstcase.ShardSums;

/**
 * Whoever holds a shard: answers with the gradient of the robust loss on its own rows (Algorithm 2, lines 4 to 7), or with
 * what its {@link LocalWork} makes of it; a loss that is asked for is that of all its rows.
 */
public record Worker(int id, Dataset shard, RobustLoss loss, LocalWork work) {

    /** A worker that sends the gradient on all its rows. */
    public Worker(int id, Dataset shard, RobustLoss loss) {
        this(id, shard, loss, LocalWork.GRADIENT);
    }

    public WorkerReply answer(RoundRequest request) {
        double[] theta = request.theta();
        int round = request.round();
        Dataset rows = work.batch().of(shard, round, 0);
        boolean whole = rows == shard;
        ShardSums sums = loss.sums(theta, rows, round, request.withLoss() && whole);
        ShardSums all = whole || !request.withLoss() ? sums : loss.sums(theta, shard, round, true);
        double[] first = loss.gradient(theta, sums, shard.columns());
        return new WorkerReply.Update(
                id, update(theta, rows, first, round), loss.value(theta, all, shard.columns()), sums.precision());
    }

    private double[] update(double[] theta, Dataset rows, double[] first, int round) {
        if (work.sent() instanceof LocalWork.Newton newton) {
            return loss.newton(theta, rows, round, first, newton.damping());
        }
        double factor = work.sent() instanceof LocalWork.Delta ? work.rate() : 1.0 / work.steps();
        double[] sum = work.steps() == 1 ? first : walk(theta, first, round);
        return factor == 1 ? sum : Vectors.scaled(factor, sum);
    }

    /** The sum of the gradients along the worker's own steps, of which the first is known. */
    private double[] walk(double[] start, double[] first, int round) {
        double[] theta = start.clone();
        double[] sum = first.clone();
        double[] last = first;
        for (int step = 1; step < work.steps(); step++) {
            Vectors.addScaled(theta, -work.rate(), last, theta.length);
            ShardSums sums = loss.sums(theta, work.batch().of(shard, round, step), round, false);
            last = loss.gradient(theta, sums, shard.columns());
            Vectors.add(sum, last);
        }
        return sum;
    }
}
