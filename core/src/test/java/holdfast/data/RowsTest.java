package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.math.Threads;
import holdfast.testkit.RowsContract;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RowsTest {
    @Nested
    class InThisProcess extends RowsContract {
        @Override
        protected void with(Dataset data, Consumer<Rows> test) {
            test.accept(data);
            try (Threads threads = Threads.of(3)) {
                threads.call(() -> {
                    test.accept(data);
                    return null;
                });
            }
        }
    }

    @Nested
    class SelectedAsTheyAreLookedAt extends RowsContract {
        @Override
        protected void with(Dataset data, Consumer<Rows> test) {
            test.accept(data.rows(IntStream.range(0, data.rows()).toArray()));
        }
    }

    @Test
    void aSourceWithoutRowsHasNoValue() {
        Dataset data = RowsContract.random(Seed.of(1), 40, 3);
        int[] others = IntStream.range(0, 40).filter(r -> data.group(r) != 1).toArray();
        assertThat(data.rows(others).reduceBySource(Block::rows, Integer::sum).get(1))
                .isNull();
        assertThat(data.select(others).reduceBySource(Block::rows, Integer::sum).get(1))
                .isNull();
    }
}
