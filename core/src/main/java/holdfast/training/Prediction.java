package holdfast.training;

import holdfast.plan.ResolvedPlan;
import holdfast.rounds.WorkerPool;
import holdfast.theory.ErrorBound;
import holdfast.theory.NonconvexRate;
import holdfast.theory.RoundError;
import holdfast.theory.StronglyConvexRate;
import java.util.Optional;

/**
 * A theorem's bound for a finished run, beside what was measured. The server sees the direction G in the place of grad F,
 * so it is G that was measured. sigma and F at the start are estimates from what workers report.
 *
 * @param theorem the paper's: {@code Theorem 2}
 * @param quantity what it bounds
 * @param progress the part of the bound that falls with the number of rounds
 * @param floor the part that stays
 * @param measured the same quantity for G
 */
public record Prediction(String theorem, String quantity, double progress, double floor, double measured) {
    /** Returns the bound. */
    public double bound() {
        return progress + floor;
    }

    /**
     * Predicts a run in hindsight, with two passes over the rows: Theorem 2 for steps up to 1/L_F, Theorem 4 for longer
     * ones. Empty if the guarantee of the run does not hold.
     */
    public static Optional<Prediction> of(TrainingRun run, PreparedRun prepared) {
        Guarantee.Failures measured = run.guarantee().failures();
        if (!run.guarantee().holds() || Double.isNaN(measured.squares())) {
            return Optional.empty();
        }
        WorkerPool workers = prepared.allWorkers();
        ResolvedPlan plan = prepared.plan().resolve(prepared.schema(), workers.workers());
        Optional<ErrorBound> bound = plan.rule().errorBound(workers.workers());
        if (bound.isEmpty() || bound.get().influence() >= 1) {
            return Optional.empty();
        }
        int features = prepared.schema().features().size();
        double[] first = ResolvedPlan.start(prepared.plan(), plan.model(), features);
        double[] last = run.state().theta();
        WorkerSpread start = WorkerSpread.at(first, plan, workers, prepared.root());
        WorkerSpread end = WorkerSpread.at(last, plan, workers, prepared.root());
        ObjectiveConstants constants = new ObjectiveConstants(
                prepared.plan(),
                plan.model(),
                features,
                prepared.reach(),
                prepared.plan().prices(prepared.schema()));
        RoundError error = RoundError.of(
                bound.get(),
                Math.max(constants.at(first).thetaZ(), constants.at(last).thetaZ()),
                Math.max(start.sigma(), end.sigma()),
                measured.precision());
        int rounds = run.state().round();
        double gap = constants.gap(run.state().firstObjective());
        if (gap == Double.POSITIVE_INFINITY) {
            return Optional.empty();
        }
        double step = run.learningRate();
        if (step <= 1 / measured.smoothness()) {
            NonconvexRate rate = new NonconvexRate(step, error);
            return Optional.of(new Prediction(
                    "Theorem 2",
                    "the mean of ||grad F||^2 over the rounds",
                    rate.progress(gap, rounds),
                    rate.floor(),
                    measured.squares() / rounds));
        }
        double convexity = constants.at(last).convexity();
        StronglyConvexRate rate = new StronglyConvexRate(measured.smoothness(), convexity, error);
        // Strong convexity: the minimum is at most ||grad F||/lambda_F away.
        double distance = (start.direction() + error.offset()) / (1 - error.influence()) / convexity;
        return Optional.of(new Prediction(
                "Theorem 4",
                "||theta - theta*|| at the end",
                rate.distance(distance, rounds) - rate.distanceFloor(),
                rate.distanceFloor(),
                end.direction() / convexity));
    }
}
