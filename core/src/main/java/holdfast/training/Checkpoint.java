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
        plan.settings().forEach((key, value) -> {
            String other = otherPlan.settings().get(key);
            // Another number of rounds continues the same run.
            Check.that(
                    key.equals(PlanKey.ROUNDS.name()) || value.equals(other),
                    "the checkpoint was made with %s %s, not %s",
                    key,
                    value,
                    other);
        });
        Check.that(
                data.sha256().equals(otherData.sha256()),
                "the checkpoint was made on other data: sha256 %s, now %s",
                data.sha256(),
                otherData.sha256());
    }
}
