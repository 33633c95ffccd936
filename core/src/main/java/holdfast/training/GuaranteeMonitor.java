package holdfast.training;

import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.RoundListener;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.StepSchedule;
import holdfast.rounds.TrainingState;
import holdfast.theory.RobustSurrogate;

/**
 * Checks, at the parameters every round starts from, the two conditions of the convergence theorems that depend on them:
 * lambda &gt; L_zz (Assumption 3) and step &lt;= 1/L_F, with the constants of Lemma 1 for the rows and parameters at hand.
 */
final class GuaranteeMonitor implements RoundListener {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final Plan plan;
    private final Model model;
    private final int features;
    private final RowReach reach;
    private final StepSchedule schedule;
    private double[] theta;
    private Guarantee.Failures failures;

    /**
     * @param plan with rates and a box that are numbers
     * @param failures of the rounds before {@code from}
     */
    GuaranteeMonitor(
            Plan plan, Model model, int features, RowReach reach, TrainingState from, Guarantee.Failures failures) {
        this.plan = plan;
        this.model = model;
        this.features = features;
        this.reach = reach;
        this.schedule = plan.schedule();
        this.theta = from.sharedTheta();
        this.failures = failures;
    }

    Guarantee.Failures failures() {
        return failures;
    }

    @Override
    public void finished(RoundRecord record) {
        int round = record.round();
        double lambda = plan.lambda().orElse(Double.POSITIVE_INFINITY);
        double zz =
                model.smoothness(theta, features, reach.radius(), reach.label()).zz();
        boolean concave = RobustSurrogate.isConcave(zz, lambda);
        if (!concave && failures.lambda().rounds() == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "round {0}: lambda = {1} is not above L_zz, so Assumption 3 of the convergence"
                            + " theorems does not hold there; a larger lambda would satisfy it",
                    Integer.toString(round),
                    lambda);
        }
        double step = plan.get(PlanKey.LEARNING_RATE).orElseThrow() * schedule.factor(round);
        double smoothness = smoothness(lambda, zz);
        failures = new Guarantee.Failures(
                failures.lambda().and(round, concave),
                failures.step().and(round, RobustSurrogate.allowsStep(step, smoothness)),
                Double.isFinite(smoothness) ? Math.max(failures.smoothness(), smoothness) : failures.smoothness(),
                Math.max(failures.precision(), record.precision()));
        theta = record.state().sharedTheta();
    }

    /** L_F of Lemma 1 plus the penalty's curvature; infinite where lambda &lt;= L_zz. */
    private double smoothness(double lambda, double zz) {
        if (!RobustSurrogate.isConcave(zz, lambda)) {
            return Double.POSITIVE_INFINITY;
        }
        Smoothness moved = model.smoothness(theta, features, reach.radius() + farthestMove(lambda, zz), reach.label());
        return reach.weight() * RobustSurrogate.objectiveSmoothness(moved, lambda) + plan.get(PlanKey.L2);
    }

    /** A bound of ||z* - x||; in a box the radius says it already. */
    private double farthestMove(double lambda, double zz) {
        if (plan.box(model).bounded()) {
            return 0;
        }
        double length = Vectors.norm(theta, model.weights(features));
        double score = length * reach.radius() + largestIntercept();
        return RobustSurrogate.farthestMove(
                model.slopeBound(score, reach.label()),
                model.slopeBound(Double.POSITIVE_INFINITY, reach.label()),
                length,
                zz,
                lambda);
    }

    private double largestIntercept() {
        double largest = 0;
        for (int i = model.weights(features); i < theta.length; i++) {
            largest = Math.max(largest, Math.abs(theta[i]));
        }
        return largest;
    }
}
