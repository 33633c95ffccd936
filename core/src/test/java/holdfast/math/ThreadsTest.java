package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    @Test
    void everyPieceIsDoneOnceOnAnyNumberOfThreads() {
        for (int count = 1; count <= 4; count++) {
            try (Threads threads = Threads.of(count)) {
                for (int n = 0; n < 50; n++) {
                    AtomicIntegerArray done = new AtomicIntegerArray(50);
                    threads.each(n, done::incrementAndGet);
                    for (int i = 0; i < 50; i++) {
                        assertThat(done.get(i)).isEqualTo(i < n ? 1 : 0);
                    }
                }
            }
        }
    }

    @Test
    void aPieceMayHavePiecesOfItsOwn() {
        try (Threads threads = Threads.of(2)) {
            AtomicIntegerArray done = new AtomicIntegerArray(64);
            threads.each(8, i -> threads.each(8, j -> done.incrementAndGet(8 * i + j)));
            for (int i = 0; i < 64; i++) {
                assertThat(done.get(i)).isEqualTo(1);
            }
        }
    }

    @Test
    void whatAPieceThrowsIsThrownAfterTheOthersHaveEnded() {
        for (int count = 1; count <= 3; count++) {
            try (Threads threads = Threads.of(count)) {
                assertThatThrownBy(() -> threads.each(20, i -> {
                            if (i == 19) {
                                throw new InputException("piece " + i);
                            }
                        }))
                        .isInstanceOf(InputException.class)
                        .hasMessage("piece 19");
            }
        }
    }

    @Test
    void ofSeveralFailuresTheFirstPiecesIsThrown() {
        try (Threads threads = Threads.of(3)) {
            for (int repeat = 0; repeat < 100; repeat++) {
                assertThatThrownBy(() -> threads.each(20, i -> {
                            if (i >= 7) {
                                throw new IllegalStateException("piece " + i);
                            }
                        }))
                        .hasMessage("piece 7");
            }
        }
    }

    @Test
    void whoeverHasNothingToDoHelpsTheOthers() {
        try (Threads threads = Threads.of(2)) {
            // Piece 0's two pieces wait for each other, so both threads must be at them, though one is done with piece
            // 1.
            CountDownLatch both = new CountDownLatch(2);
            threads.each(2, i -> {
                if (i == 0) {
                    threads.each(2, j -> {
                        both.countDown();
                        await(both);
                    });
                }
            });
            assertThat(both.getCount()).isZero();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCallRunsWhereTheThreadsAreHereAndGivesItsResultOrWhatItThrows() {
        assertThat(Threads.here()).isSameAs(Threads.ONE);
        try (Threads threads = Threads.of(2);
                Threads others = Threads.of(2)) {
            assertThat(threads.call(Threads::here)).isSameAs(threads);
            assertThat(threads.call(() -> others.call(Threads::here))).isSameAs(others);
            RuntimeException thrown = new IllegalStateException("as it was");
            assertThatThrownBy(() -> threads.call(() -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
        }
    }

    @Test
    void afterAnInterruptedCallIsClosedNoPieceBegins() throws InterruptedException {
        Thread caller = Thread.currentThread();
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (Threads threads = Threads.of(2)) {
            assertThatThrownBy(() -> threads.call(() -> {
                        try {
                            threads.each(1000, i -> {
                                // Only once: a second interrupt could come after the flag is cleared below.
                                if (begun.incrementAndGet() == 1) {
                                    caller.interrupt();
                                }
                                while (closed.getCount() > 0) {
                                    Thread.onSpinWait();
                                }
                            });
                        } finally {
                            ended.countDown();
                        }
                        return null;
                    }))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        closed.countDown();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(begun.get()).isBetween(1, 2);
    }

    @Test
    void anInterruptLosesNoPieceAndKeepsItsFlag() {
        try (Threads threads = Threads.of(2)) {
            AtomicIntegerArray done = new AtomicIntegerArray(20);
            Thread.currentThread().interrupt();
            threads.each(20, done::incrementAndGet);
            assertThat(Thread.interrupted()).isTrue();
            for (int i = 0; i < 20; i++) {
                assertThat(done.get(i)).isEqualTo(1);
            }
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void noThreadIsRefused() {
        assertThatThrownBy(() -> Threads.of(0))
                .isInstanceOf(InputException.class)
                .hasMessage("threads must be from 1 to 1024, got 0");
    }
}
