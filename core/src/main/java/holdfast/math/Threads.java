package holdfast.math;

import holdfast.Check;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A fixed number of threads for independent pieces of work, which may have pieces of their own. An idle thread takes
 * pieces from the others, so which thread does which piece is random. A piece must write only its own data, and the
 * division into pieces must not depend on the number of threads; then no bit of a result depends on it. Daemon threads.
 */
public final class Threads implements AutoCloseable {
    private static final int MOST = 1024;

    /** The caller's own thread; there is nothing to close. */
    public static final Threads ONE = new Threads(1);

    private final int count;
    /** Null means the caller's own thread. */
    private final ForkJoinPool pool;

    private Threads(int count) {
        this.count = count;
        this.pool = count == 1 ? null : new ForkJoinPool(count, in -> new Member(in, this), null, false);
    }

    private static final class Member extends ForkJoinWorkerThread {
        private final Threads threads;

        Member(ForkJoinPool pool, Threads threads) {
            super(pool);
            this.threads = threads;
            setName("holdfast-worker");
        }
    }

    public static Threads of(int count) {
        Check.that(count >= 1 && count <= MOST, "threads must be from 1 to %d, got %d", MOST, count);
        return count == 1 ? ONE : new Threads(count);
    }

    /** Returns the threads that the calling thread belongs to. A sum uses them without being given them. */
    public static Threads here() {
        return Thread.currentThread() instanceof Member member ? member.threads : ONE;
    }

    /**
     * Runs this on one of these threads, with {@link #here} returning them, and returns its result.
     *
     * @throws CancellationException if the caller is interrupted; its flag stays set. Pieces that have begun then
     *     finish, and their results are ignored; after {@link #close} no other piece begins
     */
    public <T> T call(Supplier<T> work) {
        if (pool == null || here() == this) {
            return work.get();
        }
        AtomicReference<T> result = new AtomicReference<>();
        Pieces one = new Pieces(1, i -> result.set(work.get()));
        try {
            pool.submit(one).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        one.throwFailure();
        return result.get();
    }

    /**
     * Does pieces 0..n-1, each once, and returns when all are done. If a piece throws, the exception is rethrown here
     * after the others have ended; if several throw, that of the lowest piece.
     */
    public void each(int n, IntConsumer piece) {
        if (pool == null || n <= 1) {
            for (int i = 0; i < n; i++) {
                piece.accept(i);
            }
            return;
        }
        Pieces pieces = new Pieces(n, piece);
        if (here() == this) {
            share(pieces);
        } else {
            // After an interrupt the other threads must not go on writing once the caller has returned; its flag stays
            // set.
            ForkJoinTask<?> all = pool.submit(() -> share(pieces));
            all.quietlyJoin();
            refuse(all.isCancelled());
        }
        pieces.throwFailure();
    }

    private void share(Pieces pieces) {
        var others = Stream.generate(() -> ForkJoinTask.adapt(pieces).fork())
                .limit(Math.min(count, pieces.n) - 1)
                .toList();
        pieces.run();
        others.forEach(ForkJoinTask::quietlyJoin);
    }

    private static void refuse(boolean closed) {
        if (closed) {
            throw new CancellationException("the threads were ended");
        }
    }

    /** The pieces not yet done; any number of threads take from them. */
    private final class Pieces implements Runnable {
        private final int n;
        private final IntConsumer piece;
        private final AtomicInteger next = new AtomicInteger();
        private int failed = Integer.MAX_VALUE;
        private Throwable failure;

        Pieces(int n, IntConsumer piece) {
            this.n = n;
            this.piece = piece;
        }

        @Override
        public void run() {
            for (int i = next.getAndIncrement(); i < n; i = next.getAndIncrement()) {
                try {
                    refuse(pool.isShutdown());
                    piece.accept(i);
                } catch (RuntimeException | Error e) {
                    fail(i, e);
                }
            }
        }

        private synchronized void fail(int i, Throwable e) {
            if (i < failed) {
                failed = i;
                failure = e;
            }
        }

        /** Throws the original exception: a ForkJoinTask would throw a copy with another message. */
        synchronized void throwFailure() {
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }

    /** Ends the threads. */
    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }
}
