package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
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
                .hasMessage("threads must be at least 1, got 0");
    }
}
