package holdfast.training;

import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.RowReach;
import holdfast.rounds.RoundListener;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.TrainingState;
import holdfast.theory.RobustSurrogate;

/**
 * Checks the two conditions of the convergence theorems that depend on the parameters, at the parameters that every
 * round starts from: lambda &gt; L_zz (Assumption 3) and step &lt;= 1/L_F, with the constants of Lemma 1 for the
 * current rows and parameters.
 */
final class GuaranteeMonitor implements RoundListener {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final Plan plan;
    private final Model model;
    private final int features;
    private final RowReach reach;
    private double[] theta;
    private Guarantee.Failures failures;

    /**
     * Creates a monitor.
     *
     * @param plan a plan in which the rates and the box are numbers
     * @param failures those of the rounds before {@code from}
     */
    GuaranteeMonitor(
            Plan plan, Model model, int features, RowReach reach, TrainingState from, Guarantee.Failures failures) {
        this.plan = plan;
        this.model = model;
        this.features = features;
        this.reach = reach;
        this.theta = from.sharedTheta();
        this.failures = failures;
    }

    Guarantee.Failures failures() {
        return failures;
    }

    /** Returns what the theorems say about the run so far. */
    Guarantee guarantee(int workers, int rounds) {
        boolean smooth = !here(reach.radius()).equals(Smoothness.UNKNOWN);
        return Guarantee.of(plan, smooth, workers, rounds, failures);
    }

    private Smoothness here(double radius) {
        return model.smoothness(theta, features, radius, reach.label());
    }

    @Override
    public void finished(RoundRecord record) {
        int round = record.round();
        double lambda = plan.lambda().orElse(Double.POSITIVE_INFINITY);
        Smoothness known = here(reach.radius());
        double zz = known.zz();
        boolean concave = lambda == Double.POSITIVE_INFINITY || RobustSurrogate.isConcave(zz, lambda);
        if (!concave && !known.equals(Smoothness.UNKNOWN) && failures.lambda().rounds() == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "round {0}: lambda = {1} is not above L_zz, so Assumption 3 of the convergence"
                            + " theorems does not hold there; use a larger --lambda",
                    Integer.toString(round),
                    lambda);
        }
        double step = record.step();
        double smoothness = smoothness(lambda, zz);
        failures = new Guarantee.Failures(
                failures.lambda().and(round, concave),
                failures.step().and(round, RobustSurrogate.allowsStep(step, smoothness)),
                Double.isFinite(smoothness) ? Math.max(failures.smoothness(), smoothness) : failures.smoothness(),
                Math.max(failures.precision(), record.precision()));
        theta = record.state().sharedTheta();
    }

    /** Returns L_F of Lemma 1 plus the curvature of the penalty; infinite if lambda &lt;= L_zz. */
    private double smoothness(double lambda, double zz) {
        if (!RobustSurrogate.isConcave(zz, lambda)) {
            return Double.POSITIVE_INFINITY;
        }
        Smoothness moved = here(reach.radius() + farthestMove(lambda, zz));
        return reach.weight() * RobustSurrogate.objectiveSmoothness(moved, lambda) + plan.get(PlanKey.L2);
    }

    /**
     * Returns a bound on ||z* - x||, by which rows can leave the radius. In a box it is 0, because the radius already
     * includes the moves. Nothing bounds the moves if the model is not linear in its scores.
     */
    private double farthestMove(double lambda, double zz) {
        if (lambda == Double.POSITIVE_INFINITY || plan.box(model).bounded()) {
            return 0;
        }
        if (!(model instanceof LinearScores linear)) {
            return Double.POSITIVE_INFINITY;
        }
        double length = Vectors.norm(theta, linear.weights(features));
        double score = length * reach.radius() + largestIntercept(linear);
        return RobustSurrogate.farthestMove(
                linear.slopeBound(score, reach.label()),
                linear.slopeBound(Double.POSITIVE_INFINITY, reach.label()),
                length,
                zz,
                lambda);
    }

    private double largestIntercept(LinearScores linear) {
        double largest = 0;
        for (int score = 0; score < linear.scoresPerRow(); score++) {
            largest = Math.max(largest, Math.abs(linear.intercept(theta, features, score)));
        }
        return largest;
    }
}
