package holdfast.rounds;

import java.util.List;

/**
 * An engine whose workers keep the updates of a round until the next one. Norm screening then needs two phases and little
 * traffic: norms come first, then the sum of the updates that are kept, put together on the way.
 */
public interface TwoPhasePool extends WorkerPool {
    /** Whether that pays for so many parameters. */
    boolean keeps(int parameters);

    /** As {@link #ask}, with norms in the place of updates. */
    List<Measured> measure(RoundRequest request);

    /**
     * What is told of an update.
     *
     * @param norm its length
     * @param finite whether all its elements are
     * @param loss as in {@link WorkerReply.Update}
     * @param precision likewise
     * @param fault why there is no update; null if there is one
     */
    record Measured(int worker, double norm, boolean finite, double loss, double precision, String fault) {}

    /**
     * The sum of these workers' updates, along the fixed tree of their places among these; null if they are lost.
     *
     * @param request measured last
     */
    double[] sum(RoundRequest request, int[] workers);
}
