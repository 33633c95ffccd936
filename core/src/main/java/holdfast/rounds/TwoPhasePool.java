package holdfast.rounds;

import holdfast.math.Vectors;
import java.util.List;
import java.util.Optional;

/**
 * An engine whose workers keep the updates of a round until the next one. A {@link holdfast.aggregate.NormRule} then
 * needs two phases and little traffic: norms come first, then one sum of the updates times the rule's factors, which is
 * added up on the way.
 */
public interface TwoPhasePool extends WorkerPool {
    /** Whether two phases are worthwhile for this number of parameters. */
    boolean keeps(int parameters);

    /** Does the same as {@link #ask}, with norms instead of vectors. */
    List<Measured> measure(RoundRequest request);

    /**
     * A reply whose vector stays with the worker.
     *
     * @param reply an update with an empty vector, or a fault
     * @param norm the vector's length; above the largest double it is infinite; 0 for a fault
     * @param size the vector's number of elements
     * @param finite whether all of them are
     */
    record Measured(WorkerReply reply, double norm, int size, boolean finite) {
        private static final double[] ELSEWHERE = {};

        /** Measures a reply. */
        public static Measured of(WorkerReply reply) {
            return reply instanceof WorkerReply.Update update
                    ? new Measured(
                            update.with(ELSEWHERE),
                            Vectors.norm(update.vector()),
                            update.vector().length,
                            Vectors.finite(update.vector()))
                    : new Measured(reply, 0, 0, false);
        }
    }

    /**
     * Returns the sum of these workers' updates times their factors, along the fixed tree of their places in this list;
     * empty if the updates are lost.
     *
     * @param request the last one that was measured
     * @param workers ids, ascending
     * @param factors one per worker, from 0 to 1
     */
    Optional<double[]> sum(RoundRequest request, int[] workers, double[] factors);
}
