package holdfast.rounds;

import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Holds a shard and answers with the gradient of the robust loss on its own rows (Algorithm 2, lines 4 to 7), or with
 * the result of its {@link LocalWork}. If a loss is asked for, it is that of all these rows, penalty included; if rows
 * are set aside, it is the robust loss on those, without the penalty.
 *
 * @param shard the rows it trains on
 * @param validation the rows it has set aside
 * @param abstains whether it reports NaN as its loss: others have rows set aside, and it has none to spare
 */
public record Worker(
        int id, Dataset shard, Optional<Dataset> validation, Objective objective, LocalWork work, boolean abstains) {

    /** A worker that sends the gradient on all its rows. */
    public Worker(int id, Dataset shard, Objective objective) {
        this(id, shard, Optional.empty(), objective, LocalWork.GRADIENT);
    }

    /** A worker that reports its loss whenever it is asked for. */
    public Worker(int id, Dataset shard, Optional<Dataset> validation, Objective objective, LocalWork work) {
        this(id, shard, validation, objective, work, false);
    }

    /**
     * Makes a worker that trains on some of the rows it holds and reports its loss on the others. With a single row it
     * trains on that one and abstains: its loss there would fall as long as training goes on.
     */
    public static Worker of(int id, Dataset held, Objective objective, LocalWork work, ValidationRows validation) {
        int[] aside = validation.of(held.rows());
        if (aside.length == 0) {
            return new Worker(id, held, Optional.empty(), objective, work, validation.share() > 0);
        }
        int[] rest = IntStream.range(0, held.rows())
                .filter(r -> Arrays.binarySearch(aside, r) < 0)
                .toArray();
        return new Worker(id, held.select(rest), Optional.of(held.select(aside)), objective, work);
    }

    public WorkerReply answer(RoundRequest request) {
        Iterate at = request.at();
        Dataset rows = work.batch().of(shard, at.round(), 0);
        boolean reports = request.withLoss() && !abstains;
        ShardSums sums = objective.sums(at, rows, reports && rows == shard && validation.isEmpty());
        double[] first = objective.gradient(at, sums, shard.columns());
        return new WorkerReply.Update(
                id,
                update(at, rows, first),
                objective.dualGradient(at, sums),
                reports ? reported(at, sums) : Double.NaN,
                sums.precision());
    }

    /** @param sums of the round, which may have the loss of the shard already */
    private double reported(Iterate at, ShardSums sums) {
        if (validation.isPresent()) {
            return objective.validationLoss(at, objective.sums(at, validation.get(), true));
        }
        ShardSums all = Double.isNaN(sums.loss()) ? objective.sums(at, shard, true) : sums;
        return objective.value(at, all, shard.columns());
    }

    private double[] update(Iterate at, Dataset rows, double[] first) {
        if (work.sent() instanceof LocalWork.Newton newton) {
            return objective.newton(at, rows, first, newton.damping());
        }
        double factor = work.sent() instanceof LocalWork.Delta ? work.rate() : 1.0 / work.steps();
        double[] sum = work.steps() == 1 ? first : walk(at, first);
        return factor == 1 ? sum : Vectors.scaled(factor, sum);
    }

    /** Returns the sum of the gradients along the worker's own steps; the first gradient is given. */
    private double[] walk(Iterate start, double[] first) {
        double[] theta = start.theta().clone();
        double[] sum = first.clone();
        double[] last = first;
        for (int step = 1; step < work.steps(); step++) {
            Vectors.addScaled(theta, -work.rate(), last, theta.length);
            Iterate at = start.withTheta(theta);
            ShardSums sums = objective.sums(at, work.batch().of(shard, start.round(), step), false);
            last = objective.gradient(at, sums, shard.columns());
            Vectors.add(sum, last);
        }
        return sum;
    }
}
