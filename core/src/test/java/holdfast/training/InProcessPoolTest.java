package holdfast.training;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InProcessPoolTest {
    @Nested
    class OneThread extends WorkerPoolContract {
        @Override
        protected WorkerPool pool(List<Worker> workers) {
            return new InProcessPool(workers, 1);
        }
    }

    @Nested
    class TwoThreads extends WorkerPoolContract {
        @Override
        protected WorkerPool pool(List<Worker> workers) {
            return new InProcessPool(workers, 2);
        }
    }

    @Nested
    class MoreThreadsThanWorkers extends WorkerPoolContract {
        @Override
        protected WorkerPool pool(List<Worker> workers) {
            return new InProcessPool(workers, 8);
        }
    }

    @Test
    void noThreadsAreRefused() {
        assertThatThrownBy(() -> new InProcessPool(List.of(), 0))
                .isInstanceOf(InputException.class)
                .hasMessage("threads must be at least 1, got 0");
    }
}
