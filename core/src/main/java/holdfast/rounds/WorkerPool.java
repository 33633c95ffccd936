package holdfast.rounds;

import holdfast.math.Threads;
import java.util.List;

/** An engine: sends a request to every worker and returns the replies. */
public interface WorkerPool extends AutoCloseable {
    int workers();

    /**
     * Asks every worker and returns one reply each, in worker order. A missing or unusable reply is a
     * {@link WorkerReply.Fault}, and counts as one of the lies that the rule tolerates. A failure of the engine or of
     * the code that computes the updates is nobody's lie: it is thrown.
     *
     * @throws holdfast.InputException if the plan and these parameters allow no update, such as lambda &lt;=
     *     ||theta||^2 for least squares
     * @throws java.util.concurrent.CancellationException if the thread is interrupted, in which case its flag stays
     *     set, or the engine was told to stop
     */
    List<WorkerReply> ask(RoundRequest request);

    /** Threads for the server's own work; the result does not depend on them. */
    default Threads threads() {
        return Threads.ONE;
    }

    /** Ends everything that the engine started. */
    @Override
    void close();
}
