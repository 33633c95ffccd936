package holdfast.aggregate;

/** Combines one round's updates; at most {@link #budget()} of them may be arbitrary. Pure: inputs are never written. */
public interface Aggregator {
    Aggregate aggregate(Round round);

    /** f, the number of arbitrary or missing updates this rule is set up for. */
    int budget();
}
