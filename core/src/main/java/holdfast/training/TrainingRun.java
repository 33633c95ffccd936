package holdfast.training;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.UnusableSource;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.Ledger;
import holdfast.rounds.StoppingRule;
import holdfast.rounds.TrainingState;
import holdfast.shift.Shift;
import java.util.List;
import java.util.Optional;

/**
 * A finished run.
 *
 * @param model what was learnt
 * @param plan the plan; running it again on the same data gives the same bits
 * @param provenance where the model came from
 * @param state the state at the end
 * @param chosen the number of rounds after which the model's parameters were reached: all, or with validation the best
 *     number
 * @param objective its value for the model
 * @param learningRate the length of the last step, before the schedule; of all of them, unless steps are adaptive
 * @param guarantee what the convergence theorems say about the run
 * @param ledger what happened to each worker
 * @param unusable sources whose rows could not be used
 * @param radius what training for a radius found; empty if it was not for one
 * @param heldOut rows that took no part in training, unscaled; empty if there are none
 */
public record TrainingRun(
        TrainedModel model,
        Plan plan,
        Provenance provenance,
        TrainingState state,
        int chosen,
        double objective,
        double learningRate,
        Guarantee guarantee,
        List<Ledger.Line> ledger,
        List<UnusableSource> unusable,
        Optional<RadiusResult> radius,
        Optional<Dataset> heldOut) {

    /**
     * Evaluates the model on the held-out rows.
     *
     * @throws holdfast.InputException if there are none
     */
    public Evaluation evaluate(Shift shift) {
        Dataset rows = heldOut.orElseThrow(() -> new InputException("no rows were held out: --test-share is 0"));
        return Evaluation.of(model, rows, shift);
    }

    /** Returns whether the run ended by the stopping rule, not by the number of rounds. */
    public boolean stopped() {
        return state.settled();
    }

    /**
     * Returns whether the run ended because its objective is as close to the minimum as asked for. Where the gradient
     * shows no distance, as with steps of one size, an objective that no longer changes stands for it.
     */
    public boolean converged() {
        double share = plan.get(PlanKey.TOLERANCE);
        return stopped()
                && (Double.isNaN(state.step().gap())
                        || share > 0
                                && new StoppingRule.Tolerance(share).isReached(state.step(), state.firstObjective()));
    }
}
