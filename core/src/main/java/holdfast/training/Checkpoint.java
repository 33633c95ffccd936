package holdfast.training;

import holdfast.Check;
import holdfast.data.DataSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.Ledger;
import holdfast.rounds.TrainingState;

/**
 * Everything needed to resume a run bit for bit, and to refuse another plan or other data.
 *
 * @param failures the rounds so far in which conditions of the convergence theorems failed
 */
public record Checkpoint(
        Plan plan, DataSource data, TrainingState state, Ledger.Snapshot ledger, Guarantee.Failures failures) {

    /**
     * Checks that this is a checkpoint of that plan on that data.
     *
     * @throws holdfast.InputException if it is not
     */
    public void requireBelongsTo(Plan otherPlan, DataSource otherData) {
        for (PlanKey<?> key : plan.differences(otherPlan)) {
            // Another number of rounds continues the same run.
            Check.that(
                    key == PlanKey.ROUNDS,
                    "the checkpoint was made with %s %s, not %s",
                    key.flag(),
                    plan.settings().get(key.name()),
                    otherPlan.settings().get(key.name()));
        }
        Check.that(
                data.sha256().equals(otherData.sha256()),
                "the checkpoint was made on other data: sha256 %s, now %s",
                data.sha256(),
                otherData.sha256());
    }
}
