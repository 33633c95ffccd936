package holdfast.aggregate;

import holdfast.Check;

/** Combines one round's updates; at most {@link #tolerated()} of them may be arbitrary. Pure: inputs are never written. */
public interface Aggregator {
    /** The most workers anybody can name, so that 4f+3 and the like cannot overflow. */
    int MOST = 100_000_000;

    Aggregate aggregate(Round round);

    /** f, the number of arbitrary or missing updates this rule is set up for. */
    int tolerated();

    /** The fewest workers m among which the rule can bear its budget: 2f+1 where a majority must be honest. */
    int minWorkers();

    /**
     * How many of a round's votes may be lies: the budget less the workers that sent nothing valid, for a missing update
     * is charged to the budget. A rule calls this first.
     *
     * @throws holdfast.InputException if m &lt; {@link #minWorkers()} or more are missing than the budget allows
     */
    default int lies(Round round) {
        return lies(round.workers(), round.updates().size());
    }

    /** The same for so many workers and valid updates. */
    default int lies(int workers, int updates) {
        requireServes(workers);
        int missing = workers - updates;
        Check.that(missing <= tolerated(), "at most f = %d updates may be missing, but %d are", tolerated(), missing);
        return tolerated() - missing;
    }

    /** Whether a round must have the server's own gradient. */
    default boolean needsTrusted() {
        return false;
    }

    /** @throws holdfast.InputException if f is not a budget */
    static void checkTolerated(String rule, int f) {
        Check.that(f >= 0 && f <= MOST, "%s: tolerated must be between 0 and %d, got %d", rule, MOST, f);
    }

    /** @throws holdfast.InputException if there are fewer workers than the rule needs */
    default void requireServes(int workers) {
        Check.that(
                workers >= minWorkers(),
                "f = %d needs at least %d workers, got %d",
                tolerated(),
                minWorkers(),
                workers);
    }
}
