package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.ErrorBound;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Optional;

/**
 * Combines one round's updates into one direction. Up to f = {@link #tolerated()} of them may be arbitrary or missing.
 * Pure: never writes to its inputs; what a rule must remember goes in and out as a {@link Carry}.
 */
public interface Aggregator {
    /** The largest allowed number of workers, and so of liars: small enough that 4f+3 and the like do not overflow. */
    int MAX_WORKERS = 100_000_000;

    /** @throws holdfast.InputException as {@link #lies(Round)} */
    Aggregate aggregate(Round round);

    /** f, the number of arbitrary or missing updates that this rule tolerates. */
    int tolerated();

    /** The smallest number of workers m with which the rule tolerates f: 2f+1 if a majority must be honest. */
    int minWorkers();

    /**
     * Returns how many of a round's updates may be lies: f less the number of workers that sent nothing valid, because
     * each missing update counts as one of the f. Every rule calls this first.
     *
     * @throws holdfast.InputException if m &lt; {@link #minWorkers()} or more than f updates are missing
     */
    default int lies(Round round) {
        return lies(round.workers(), round.updates().size());
    }

    /**
     * Does the same for a round when only the counts are known.
     *
     * @param workers m
     * @param updates how many of them sent a valid update
     */
    default int lies(int workers, int updates) {
        requireServes(workers);
        int missing = workers - updates;
        Check.that(missing <= tolerated(), "at most %d updates may be missing, but %d are", tolerated(), missing);
        return tolerated() - missing;
    }

    /**
     * Returns what is proven about this rule with f liars among m workers; by default nothing. A run's guarantee, its
     * warnings and the breakpoints that users see follow from it.
     *
     * @param workers m, at least {@link #minWorkers()}
     */
    default Optional<Proof> proof(int workers) {
        return Optional.empty();
    }

    /**
     * Returns how far f liars among m workers can move the direction; by default nothing is known.
     *
     * @param workers m, at least {@link #minWorkers()}
     */
    default Robustness robustness(int workers) {
        return Robustness.none("none known", "");
    }

    /**
     * Returns the bound on ||G - S|| that {@link #robustness} gives for every S; empty if nothing is proven.
     *
     * @param workers m, at least {@link #minWorkers()}
     */
    default Optional<ErrorBound> errorBound(int workers) {
        return robustness(workers).errorBound();
    }

    /** Whether a round must contain the server's own gradient. */
    default boolean needsTrusted() {
        return false;
    }

    /** @throws holdfast.InputException if f is not a number of workers */
    static void checkTolerated(String rule, int f) {
        Check.that(f >= 0 && f <= MAX_WORKERS, "%s: tolerated must be between 0 and %d, got %d", rule, MAX_WORKERS, f);
    }

    /** @throws holdfast.InputException if there are fewer workers than the rule needs */
    default void requireServes(int workers) {
        Check.that(
                workers >= minWorkers(),
                "tolerated = %d needs at least %d workers, got %d",
                tolerated(),
                minWorkers(),
                workers);
    }
}
