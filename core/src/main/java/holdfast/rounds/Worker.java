package holdfast.rounds;

import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.objective.RobustLoss;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Whoever holds a shard: answers with the gradient of the robust loss on its own rows (Algorithm 2, lines 4 to 7), or with
 * what its {@link LocalWork} makes of it. A loss that is asked for is that of all these rows, penalty included, or where
 * rows are set aside the robust loss on those, without the penalty.
 *
 * @param shard the rows it trains on
 * @param validation the rows it has set aside; null if there are none
 */
public record Worker(int id, Dataset shard, Dataset validation, RobustLoss loss, LocalWork work) {

    /** A worker that sends the gradient on all its rows. */
    public Worker(int id, Dataset shard, RobustLoss loss) {
        this(id, shard, null, loss, LocalWork.GRADIENT);
    }

    /**
     * The worker of a plan, the same on every engine. What it draws depends on the shard and not on who holds it.
     *
     * @param held all its rows; a worker with a single one trains and reports its loss on that one, validation or not
     * @param plan with rates that are numbers
     */
    public static Worker of(int id, Dataset held, RobustLoss loss, Plan plan) {
        int number = id / plan.get(PlanKey.REPLICAS);
        LocalWork work = plan.localWork(plan.batch(number));
        int[] aside = plan.setAside(number, held.rows());
        if (aside.length == 0) {
            return new Worker(id, held, null, loss, work);
        }
        int[] rest = IntStream.range(0, held.rows())
                .filter(r -> Arrays.binarySearch(aside, r) < 0)
                .toArray();
        return new Worker(id, held.select(rest), held.select(aside), loss, work);
    }

    public WorkerReply answer(RoundRequest request) {
        double[] theta = request.theta();
        int round = request.round();
        Dataset rows = work.batch().of(shard, round, 0);
        ShardSums sums = loss.sums(theta, rows, round, request.withLoss() && rows == shard && validation == null);
        double[] first = loss.gradient(theta, sums, shard.columns());
        return new WorkerReply.Update(
                id,
                update(theta, rows, first, round),
                request.withLoss() ? reported(theta, sums, round) : Double.NaN,
                sums.precision());
    }

    /** @param sums of the round, which may have the loss of the shard already */
    private double reported(double[] theta, ShardSums sums, int round) {
        if (validation != null) {
            return loss.sums(theta, validation, round, true).loss() / validation.rows();
        }
        ShardSums all = Double.isNaN(sums.loss()) ? loss.sums(theta, shard, round, true) : sums;
        return loss.value(theta, all, shard.columns());
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
