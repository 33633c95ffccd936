package holdfast.training;

import holdfast.Check;
import holdfast.data.DataSource;

/** A run in the middle: what it needs to go on to the same bits, and what proves that it is the same run. */
public record Checkpoint(TrainingPlan plan, DataSource data, TrainingState state, Ledger.Snapshot ledger) {

    /** @throws holdfast.InputException unless this is a checkpoint of that plan on that data */
    public void mustBelongTo(TrainingPlan otherPlan, DataSource otherData) {
        plan.settings().forEach((key, value) -> {
            String other = otherPlan.settings().get(key);
            // More rounds than planned at first are a wish to go on, not another run.
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
