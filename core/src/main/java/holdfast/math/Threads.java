package holdfast.math;

import holdfast.Check;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * A fixed number of threads, the caller's own among them, for pieces of work that do not depend on one another. Which
 * thread does which piece is left to chance: a piece writes only what is its own, and how the work is cut must not depend
 * on the number of threads. Then no bit of a result does.
 */
public final class Threads implements AutoCloseable {
    /** The caller's own; nothing to close. */
    public static final Threads ONE = new Threads(1);

    private final int count;
    private final ExecutorService helpers;

    private Threads(int count) {
        this.count = count;
        helpers = count == 1 ? null : daemons(count - 1, "holdfast");
    }

    /** So many threads of this name that keep no JVM from ending. */
    public static ExecutorService daemons(int count, String name) {
        return Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    public static Threads of(int count) {
        Check.that(count >= 1, "threads must be at least 1, got %d", count);
        return count == 1 ? ONE : new Threads(count);
    }

    /**
     * Does pieces 0..n-1, each once, and returns when all are done. What a piece throws is thrown here, after the others
     * have ended too.
     */
    public void each(int n, IntConsumer piece) {
        if (helpers == null || n == 1) {
            for (int i = 0; i < n; i++) {
                piece.accept(i);
            }
            return;
        }
        AtomicInteger next = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(n);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable work = () -> {
            for (int i = next.getAndIncrement(); i < n; i = next.getAndIncrement()) {
                try {
                    piece.accept(i);
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                } finally {
                    left.countDown();
                }
            }
        };
        for (int helper = 1; helper < Math.min(count, n); helper++) {
            helpers.execute(work);
        }
        work.run();
        await(left);
        if (failure.get() instanceof Error error) {
            throw error;
        }
        if (failure.get() instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** An interrupt must not leave others writing behind the caller's back; its flag stays set. */
    private static void await(CountDownLatch left) {
        boolean interrupted = false;
        while (left.getCount() > 0) {
            try {
                left.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the helpers. */
    @Override
    public void close() {
        if (helpers != null) {
            helpers.shutdownNow();
        }
    }
}
