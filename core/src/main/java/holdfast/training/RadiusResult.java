package holdfast.training;

import holdfast.Spec;
import holdfast.objective.BallLoss;
import holdfast.objective.Iterate;
import holdfast.objective.WassersteinBall;
import holdfast.rounds.TrainingException;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import java.util.Locale;
import java.util.Optional;

/**
 * What training for a radius found: the price lambda, and what the trained model loses under it, on the training rows as the
 * workers report it. Numbers are means over workers without the f largest and the f smallest, so liars move them no farther
 * than the honest workers' reports reach.
 *
 * <p>None of them is a certificate. The robust loss is an upper bound for every distribution within rho of the training rows if
 * f = 0, all workers have as many rows, weights are equal and worst cases are found exactly; {@code holdfast.certificate} computes
 * one without these conditions.
 *
 * @param rho the radius
 * @param lambda the price of moving rows; small, and at its floor, where moving rows further gains nothing
 * @param cost the mean cost of the worst moves at that price, rho where training has converged
 * @param robust lambda rho + mean phi_lambda, what was minimised, without the penalty
 * @param loss the mean loss of the training rows as they are
 */
public record RadiusResult(double rho, double lambda, double cost, double robust, double loss) {
    /** A robust loss this many times the loss at the start is no result: weights near 0 have nearly that loss. */
    private static final double USELESS = 10;

    /**
     * Returns what a run found; empty if it was not for a radius, or had no rounds.
     *
     * @throws TrainingException if steps have not come near a minimum, as they may not where the radius is very large
     */
    static Optional<RadiusResult> of(PreparedRun prepared, TrainingLoop loop, TrainingState end) {
        if (!(prepared.plan().objective(prepared.schema()) instanceof WassersteinBall ball) || end.round() == 0) {
            return Optional.empty();
        }
        BallLoss objective = ball.on(
                prepared.plan().model(prepared.schema()), prepared.plan().l2());
        int features = prepared.schema().features().size();
        Iterate at = new Iterate(end.round(), end.theta(), end.duals());
        double penalty = objective.penalty(end.theta(), features);
        double robust = loop.objective(end) - penalty;
        double start = objective.startLoss(end.duals());
        if (objective.isComparable(end.duals()) && robust > USELESS * Math.max(start, 1)) {
            throw new TrainingException(
                    String.format(
                            Locale.ROOT,
                            "training for --radius %s ended at a robust loss of %.4g, far above the loss at the start, %.4g: the"
                                    + " radius is too large for these steps; use a smaller --radius",
                            Spec.print(ball.radius()),
                            robust,
                            start),
                    end);
        }
        return Optional.of(new RadiusResult(
                ball.radius(),
                objective.price(at, features),
                loop.dualReports(end, end.duals())[0],
                robust,
                loop.dualReports(end, objective.startDuals())[0]));
    }
}
