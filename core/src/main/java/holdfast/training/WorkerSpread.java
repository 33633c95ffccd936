package holdfast.training;

import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import holdfast.objective.Iterate;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import java.util.List;
import java.util.Optional;

/**
 * How much the workers' gradients differ at some parameters: an estimate of sigma.
 *
 * @param sigma the largest ||g_i - G|| over all but the f farthest workers, G the rule's direction. The theorems mean the
 *     honest workers and their own gradient; who is honest is not known
 * @param direction ||G||
 */
record WorkerSpread(double sigma, double direction) {
    /**
     * Asks the workers for their gradients at the parameters.
     *
     * @param root answers for the server's own rows, if it has any
     */
    static WorkerSpread at(double[] theta, ResolvedPlan plan, WorkerPool pool, Optional<Worker> root) {
        RoundRequest request =
                new RoundRequest(new Iterate(0, theta, plan.objective().startDuals()), false);
        List<WorkerUpdate> updates = pool.ask(request).stream()
                .filter(WorkerReply.Update.class::isInstance)
                .map(WorkerReply.Update.class::cast)
                .filter(update -> Vectors.finite(update.vector()))
                .map(update -> new WorkerUpdate(update.worker(), update.vector()))
                .toList();
        if (updates.isEmpty()) {
            return new WorkerSpread(Double.NaN, Double.NaN);
        }
        double[] trusted = root.map(own -> own.answer(request))
                .filter(WorkerReply.Update.class::isInstance)
                .map(reply -> ((WorkerReply.Update) reply).vector())
                .orElse(null);
        Aggregate aggregate = plan.rule()
                .aggregate(new Round(
                        0, pool.workers(), updates, theta, plan.plan().seed().child("spread"), Carry.NONE, trusted));
        double[] distances = updates.stream()
                .mapToDouble(update -> {
                    double[] gap = update.vector().clone();
                    Vectors.addScaled(gap, -1, aggregate.direction(), gap.length);
                    return Vectors.norm(gap);
                })
                .sorted()
                .toArray();
        int counted = Math.min(distances.length, pool.workers() - plan.rule().tolerated());
        return new WorkerSpread(distances[Math.max(0, counted - 1)], Vectors.norm(aggregate.direction()));
    }
}
