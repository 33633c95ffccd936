package holdfast.rounds;

import holdfast.math.Threads;
import java.util.List;

/** An engine: brings a request to every worker and the replies back. */
public interface WorkerPool extends AutoCloseable {
    int workers();

    /**
     * Asks every worker and returns one reply each, in worker order. What a worker sent, or did not, is a
     * {@link WorkerReply.Fault} if it cannot be used, and counts as one of the lies that the rule tolerates. A failure of the engine or of the
     * code that computes the updates is nobody's lie: it is thrown.
     *
     * @throws holdfast.InputException if the plan and these parameters allow no update, such as lambda &lt;= ||theta||^2 for
     *     least squares
     * @throws java.util.concurrent.CancellationException if the thread is interrupted, whose flag stays set, or the engine
     *     was told to stop
     */
    List<WorkerReply> ask(RoundRequest request);

    /** Threads for the server's own work; they change nothing in the result. */
    default Threads threads() {
        return Threads.ONE;
    }

    /** Ends whatever the engine started. */
    @Override
    void close();
}
