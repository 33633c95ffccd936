package holdfast.aggregate;

import java.util.Arrays;
import java.util.List;

/**
 * What a rule made of a round.
 *
 * @param direction the combined update
 * @param kept ids of the workers whose updates count in it, ascending
 * @param carry what the rule wants back in the next round
 * @param explanation one line: who was left out and by what margin
 */
public record Aggregate(double[] direction, int[] kept, Carry carry, String explanation) {
    /**
     * The mean of some of a round's updates.
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
