package holdfast.aggregate;

import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;

/** Changes a round's updates before a rule sees them. Pure. */
public interface PreAggregator {
    /**
     * Returns the updates that the rule sees instead, by ascending id.
     *
     * @param round as the server sees it; its updates must not be written
     * @param lies how many of the updates may be arbitrary
     */
    List<Mixed> mix(Round round, int lies);

    /** Returns the smallest number of incoming updates that gives this many outgoing updates. */
    default int votesFor(int updates) {
        return updates;
    }

    /**
     * Returns how far liars can move the direction of a rule that sees updates only after this; by default nothing is
     * known. The formula is in terms of that rule's own.
     *
     * @param workers m, at least {@link #votesFor} what the rule needs
     */
    default Robustness robustness(Aggregator rule, int workers) {
        return Robustness.none("none known", "");
    }

    /**
     * One update for the rule.
     *
     * @param update under a worker's own id if it stands for that worker
     * @param members ids of the workers whose updates are part of it, ascending
     */
    record Mixed(WorkerUpdate update, int[] members) {
        /** Returns the ids of the workers behind the updates that a rule kept, ascending. */
        static int[] members(List<Mixed> mixed, int[] kept) {
            return mixed.stream()
                    .filter(m -> Arrays.binarySearch(kept, m.update().worker()) >= 0)
                    .flatMapToInt(m -> Arrays.stream(m.members()))
                    .distinct()
                    .sorted()
                    .toArray();
        }
    }
}
