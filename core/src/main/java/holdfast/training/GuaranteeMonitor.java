package holdfast.training;

import holdfast.plan.Plan;
import holdfast.rounds.RoundListener;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.TrainingState;
import holdfast.theory.RobustSurrogate;
import java.util.Optional;

/**
 * Checks the two conditions of the convergence theorems that depend on the parameters, at the parameters that every
 * round starts from: lambda &gt; L_zz (Assumption 3) and step &lt;= 1/L_F, with the constants of Lemma 1 for the
 * current rows and parameters.
 */
final class GuaranteeMonitor implements RoundListener {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final Plan plan;
    private final ObjectiveConstants constants;
    private final double influence;
    private double[] theta;
    private Guarantee.Failures failures;

    /**
     * Creates a monitor.
     *
     * @param plan a plan in which the rates and the box are numbers
     * @param influence C of the rule; infinite if nothing bounds it
     * @param failures those of the rounds before {@code from}
     */
    GuaranteeMonitor(
            Plan plan,
            ObjectiveConstants constants,
            double influence,
            TrainingState from,
            Guarantee.Failures failures) {
        this.plan = plan;
        this.constants = constants;
        this.influence = influence;
        this.theta = from.sharedTheta();
        this.failures = failures;
    }

    Guarantee.Failures failures() {
        return failures;
    }

    /**
     * Returns what the theorems say about the run so far.
     *
     * @param curvature L_zz where the run is, if it is worth an estimate
     */
    Guarantee guarantee(int workers, int rounds, Optional<SampledCurvature> curvature) {
        return Guarantee.of(plan, constants.at(theta), influence, workers, rounds, failures, curvature);
    }

    /** Returns ||G||^2 of the round that led from theta to the next parameters, for steps without momentum. */
    private double squared(double[] next, double step) {
        double sum = 0;
        for (int i = 0; i < next.length; i++) {
            double g = (theta[i] - next[i]) / step;
            sum += g * g;
        }
        return sum;
    }

    @Override
    public void finished(RoundRecord record) {
        int round = record.round();
        double lambda = constants.lambda();
        ObjectiveConstants.Values here = constants.at(theta);
        boolean concave = lambda == Double.POSITIVE_INFINITY || RobustSurrogate.isConcave(here.zz(), lambda);
        if (!concave && here.boundsMoves() && failures.lambda().rounds() == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "round {0}: lambda = {1} is not above {2}, so Assumption 3 of the convergence"
                            + " theorems {3} there; use a larger --lambda",
                    Integer.toString(round),
                    lambda,
                    here.known() ? "L_zz" : "the bound on L_zz",
                    here.known() ? "does not hold" : "is not known to hold");
        }
        double smoothness = here.smoothness();
        double[] next = record.state().sharedTheta();
        failures = new Guarantee.Failures(
                failures.lambda().and(round, concave),
                failures.step().and(round, record.step() <= here.maxStep(influence)),
                Double.isFinite(smoothness) ? Math.max(failures.smoothness(), smoothness) : failures.smoothness(),
                Math.max(failures.precision(), record.precision()),
                failures.squares() + squared(next, record.step()));
        theta = next;
    }
}
