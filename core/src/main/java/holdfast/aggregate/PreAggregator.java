package holdfast.aggregate;

import java.util.List;

/** Changes a round's updates before a rule sees them. Pure. */
public interface PreAggregator {
    /**
     * The updates the rule is to see instead.
     *
     * @param round as the server sees it; its votes are not to be written
     * @param lies how many of the votes may be arbitrary
     */
    List<Mixed> mix(Round round, int lies);

    /**
     * How many updates come out of {@code votes} when none is missing.
     */
    default int count(int votes) {
        return votes;
    }

    /**
     * One vector for the rule.
     *
     * @param vector of the mixture
     * @param members indices into the round's votes of those who count in it, ascending
     */
    record Mixed(double[] vector, int[] members) {}
}
