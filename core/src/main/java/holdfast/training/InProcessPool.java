package holdfast.training;

import holdfast.InputException;
import holdfast.math.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Workers of this process on a fixed number of threads; one thread means the caller's own. */
public final class InProcessPool implements WorkerPool {
    private final List<Worker> workers;
    private final ExecutorService threads;
    private final Threads server;

    public InProcessPool(List<Worker> workers, int threads) {
        this.server = Threads.of(threads);
        this.workers = List.copyOf(workers);
        this.threads = threads == 1 ? null : Threads.daemons(threads, "holdfast-worker");
    }

    @Override
    public int workers() {
        return workers.size();
    }

    @Override
    public Threads threads() {
        return server;
    }

    @Override
    public List<WorkerReply> ask(RoundRequest request) {
        List<WorkerReply> replies = new ArrayList<>(workers.size());
        refuseInterrupted(request);
        if (threads == null) {
            for (Worker worker : workers) {
                replies.add(answer(worker, request));
                refuseInterrupted(request);
            }
            return replies;
        }
        try {
            for (Future<WorkerReply> reply : threads.invokeAll(workers.stream()
                    .map(w -> (Callable<WorkerReply>) () -> answer(w, request))
                    .toList())) {
                replies.add(reply.get());
            }
            return replies;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(request);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
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

    private static WorkerReply answer(Worker worker, RoundRequest request) {
        try {
            return worker.answer(request);
        } catch (InputException e) {
            return new WorkerReply.Fault(worker.id(), e.getMessage());
        } catch (RuntimeException e) {
            return new WorkerReply.Fault(worker.id(), e.toString());
        }
    }

    @Override
    public void close() {
        server.close();
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
