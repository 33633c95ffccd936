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
 * A fixed number of threads for pieces of work that do not depend on one another and may have pieces of their own: whoever
 * has nothing left to do takes pieces from the others. Which thread does which piece is left to chance: a piece writes only
 * what is its own, and how the work is cut must not depend on the number of threads. Then no bit of a result does. They keep
 * no JVM from ending.
 */
public final class Threads implements AutoCloseable {
    private static final int MOST = 1024;

    /** The caller's own; nothing to close. */
    public static final Threads ONE = new Threads(1);

    private final int count;
    /** Null: the caller's own thread. */
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

    /** Those that the calling thread is one of: a sum is spread over them without being told of them. */
    public static Threads here() {
        return Thread.currentThread() instanceof Member member ? member.threads : ONE;
    }

    /**
     * What this gives on one of these threads, where {@link #here} are these.
     *
     * @throws CancellationException if the caller is interrupted, whose flag stays set; pieces that have begun then end
     *     unheard, and after {@link #close} no other begins
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
     * Does pieces 0..n-1, each once, and returns when all are done. What a piece throws is thrown here, after the others
     * have ended too; the first one's if several do.
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
            // An interrupt must not leave others writing behind the caller's back; its flag stays set.
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

    /** What is left of them, for any number of threads to take from. */
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

        /** As it was thrown: a ForkJoinTask would throw a copy with another message. */
        synchronized void throwFailure() {
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }

    /** Ends them. */
    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }
}
