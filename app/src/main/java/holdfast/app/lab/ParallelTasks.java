package holdfast.app.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;

/** Runs independent pieces of work on several threads. Each has a cost, from which the progress is estimated. */
public final class ParallelTasks {
    private final List<Job> jobs = new ArrayList<>();
    private double all;
    private double done;

    private record Job(double cost, Runnable work) {}

    /** @param cost about proportional to the time the work takes */
    public void add(double cost, Runnable work) {
        jobs.add(new Job(cost, work));
        all += cost;
    }

    /** Counts work of this cost as done. */
    public void skip(double cost) {
        all += cost;
        done += cost;
    }

    /**
     * Starts the pieces in the order in which they were added and returns when the last has ended.
     *
     * @throws RuntimeException if a piece threw it; the others are stopped
     */
    public void run(int threads, DoubleConsumer progress) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CompletionService<Double> finished = new ExecutorCompletionService<>(pool);
        try {
            for (Job job : jobs) {
                finished.submit(job.work, job.cost);
            }
            for (int i = 0; i < jobs.size(); i++) {
                Future<Double> one = finished.take();
                done += one.get();
                progress.accept(done / all);
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
