package holdfast.rounds;

import java.util.List;

/**
 * What happened in a round.
 *
 * @param state after the round
 * @param step the length of the server's step: eta c(t)
 * @param norms length of each worker's update by id, NaN if there was none
 * @param kept ids of the workers whose updates counted
 * @param faults workers without a usable update
 * @param objective mean of the workers' reported losses before the step (on their validation rows, if they have any),
 *     after dropping as many of the largest and of the smallest as there may be liars; NaN if not asked for
 * @param precision the largest reported bound on ||z - z*||, infinite if there is none
 * @param explanation the rule's own explanation
 */
public record RoundRecord(
        TrainingState state,
        double step,
        double[] norms,
        int[] kept,
        List<WorkerReply.Fault> faults,
        double objective,
        double precision,
        String explanation) {

    public RoundRecord {
        faults = List.copyOf(faults);
    }

    /** A copy. */
    @Override
    public double[] norms() {
        return norms.clone();
    }

    /** A copy. */
    @Override
    public int[] kept() {
        return kept.clone();
    }

    public int round() {
        return state.round() - 1;
    }
}
