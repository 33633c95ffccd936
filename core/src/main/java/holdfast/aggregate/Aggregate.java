package holdfast.aggregate;

import java.util.Arrays;
import java.util.List;

/**
 * The result of a rule for one round.
 *
 * @param direction the combined update
 * @param kept ids of the workers whose updates are part of it, ascending
 * @param carry the state that the rule gets back in the next round
 * @param explanation one line: who was left out and by what margin
 */
public record Aggregate(double[] direction, int[] kept, Carry carry, String explanation) {
    /**
     * Returns the mean of some of a round's updates.
     *
     * @param chosen their indices, ascending
     * @param reason why they were chosen
     */
    static Aggregate meanOf(Round round, int[] chosen, String reason) {
        List<WorkerUpdate> kept =
                Arrays.stream(chosen).mapToObj(i -> round.updates().get(i)).toList();
        int[] ids = kept.stream().mapToInt(WorkerUpdate::worker).toArray();
        int[] dropped = round.sendersBut(ids);
        return new Aggregate(
                Mean.of(kept, round.threads()),
                ids,
                Carry.NONE,
                (dropped.length == 0 ? "all kept: " : "left out " + Arrays.toString(dropped) + ": ") + reason);
    }
}
