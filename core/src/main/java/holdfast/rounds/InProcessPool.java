package holdfast.rounds;

import holdfast.InputException;
import holdfast.math.Threads;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Runs the workers in this process on a fixed number of threads, which share the blocks of a large shard; with one
 * thread, on the caller's own.
 */
public final class InProcessPool implements WorkerPool {
    private final List<Worker> workers;
    private final Threads threads;

    public InProcessPool(List<Worker> workers, int threads) {
        this.workers = List.copyOf(workers);
        this.threads = Threads.of(threads);
    }

    @Override
    public int workers() {
        return workers.size();
    }

    /** Returns the workers themselves, in order. */
    public List<Worker> members() {
        return workers;
    }

    @Override
    public Threads threads() {
        return threads;
    }

    @Override
    public List<WorkerReply> ask(RoundRequest request) {
        refuseInterrupted(request);
        WorkerReply[] replies = new WorkerReply[workers.size()];
        try {
            threads.call(() -> {
                threads.each(replies.length, w -> {
                    replies[w] = answer(workers.get(w), request);
                    refuseInterrupted(request);
                });
                return replies;
            });
        } catch (CancellationException e) {
            throw interrupted(request);
        } catch (RuntimeException e) {
            refuseInterrupted(request);
            throw e;
        }
        return List.of(replies);
    }

    private static WorkerReply answer(Worker worker, RoundRequest request) {
        try {
            return worker.answer(request);
        } catch (InputException e) {
            throw new InputException("worker " + worker.id() + ": " + e.getMessage());
        }
    }

    private static void refuseInterrupted(RoundRequest request) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(request);
        }
    }

    private static CancellationException interrupted(RoundRequest request) {
        return new CancellationException("training was interrupted in round " + request.round());
    }

    @Override
    public void close() {
        threads.close();
    }
}
