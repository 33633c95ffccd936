package holdfast.training;

import holdfast.math.Threads;
import java.util.List;

/** An engine: brings a request to every worker and the replies back. */
public interface WorkerPool extends AutoCloseable {
    int workers();

    /**
     * One reply per worker, in worker order; a dead or malformed worker is a Fault, never an exception.
     *
     * @throws java.util.concurrent.CancellationException if the thread is interrupted; the flag stays set
     */
    List<WorkerReply> ask(RoundRequest request);

    /** For the server's own work; they change nothing in the result. */
    default Threads threads() {
        return Threads.ONE;
    }

    /** Ends whatever the engine started. */
    @Override
    void close();
}
