package holdfast.training;

import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.RowReach;
import holdfast.rounds.RoundListener;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.StepSchedule;
import holdfast.rounds.TrainingState;
import holdfast.theory.ScreeningBound;

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
        double lambda = plan.get(PlanKey.LAMBDA);
        double zz =
                model.smoothness(theta, features, reach.radius(), reach.label()).zz();
        boolean concave = lambda > zz;
        if (!concave && failures.lambda().rounds() == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "round {0}: lambda = {1} is not above L_zz, so Assumption 3 of the convergence"
                            + " theorems does not hold there; a larger lambda would satisfy it",
                    Integer.toString(round),
                    lambda);
        }
        double step = plan.get(PlanKey.LEARNING_RATE) * schedule.factor(round);
        double smoothness = smoothness(lambda, zz);
        failures = new Guarantee.Failures(
                failures.lambda().and(round, concave),
                failures.step().and(round, step * smoothness <= 1),
                Double.isFinite(smoothness) ? Math.max(failures.smoothness(), smoothness) : failures.smoothness(),
                Math.max(failures.precision(), record.precision()));
        theta = record.state().sharedTheta();
    }

    /** L_F of Lemma 1 plus the penalty's curvature; infinite where lambda &lt;= L_zz. */
    private double smoothness(double lambda, double zz) {
        if (!(lambda > zz)) {
            return Double.POSITIVE_INFINITY;
        }
        Smoothness moved = model.smoothness(theta, features, reach.radius() + farthestMove(lambda, zz), reach.label());
        return reach.weight() * ScreeningBound.objectiveSmoothness(moved, lambda) + plan.get(PlanKey.L2);
    }

    /**
     * A bound of ||z* - x||: |l'(x)| ||theta||/(lambda - L_zz) by strong concavity, and S ||theta||/lambda where S bounds
     * |l'| everywhere. In a box the radius says it already.
     */
    private double farthestMove(double lambda, double zz) {
        if (lambda == Double.POSITIVE_INFINITY || plan.box(model).bounded()) {
            return 0;
        }
        double length = Vectors.norm(theta, model.weights(features));
        if (length == 0) {
            return 0;
        }
        double score = length * reach.radius() + largestIntercept();
        return Math.min(
                model.slopeBound(score, reach.label()) * length / (lambda - zz),
                model.slopeBound(Double.POSITIVE_INFINITY, reach.label()) * length / lambda);
    }

    private double largestIntercept() {
        double largest = 0;
        for (int i = model.weights(features); i < theta.length; i++) {
            largest = Math.max(largest, Math.abs(theta[i]));
        }
        return largest;
    }
}
