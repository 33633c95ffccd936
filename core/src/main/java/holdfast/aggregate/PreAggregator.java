package holdfast.aggregate;

import java.util.Arrays;
import java.util.List;

/** Changes a round's updates before a rule sees them. Pure. */
public interface PreAggregator {
    /**
     * The updates the rule is to see instead, by ascending id.
     *
     * @param round as the server sees it; its updates are not to be written
     * @param lies how many of the updates may be arbitrary
     */
    List<Mixed> mix(Round round, int lies);

    /** The smallest number of updates in, for this many updates out. */
    default int votesFor(int updates) {
        return updates;
    }

    /**
     * One update for the rule.
     *
     * @param update under a worker's own id where it stands for that worker
     * @param members ids of the workers whose updates count in it, ascending
     */
    record Mixed(WorkerUpdate update, int[] members) {
        /** Ids of the workers that count in those of the updates that a rule kept, ascending. */
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
