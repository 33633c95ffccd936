package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.testkit.Laws;
import holdfast.testkit.RowAttackContract;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DuplicateTest extends RowAttackContract {
    @Override
    protected RowAttack attack() {
        return new Duplicate(0.1, 10);
    }

    @Test
    void aTenthOfTheRowsIsThereTenTimesAndEveryOtherOnce() {
        Laws.check(20, seed -> {
            Dataset shard = shard(seed);
            Dataset poisoned = attack().poison(shard, seed);
            Map<String, Long> counts = IntStream.range(0, poisoned.rows())
                    .mapToObj(r -> poisoned.label(r) + Arrays.toString(poisoned.row(r)))
                    .collect(Collectors.groupingBy(row -> row, Collectors.counting()));
            assertThat(counts).hasSize(shard.rows());
            assertThat(Collections.frequency(counts.values(), 10L)).isEqualTo((int) Math.round(0.1 * shard.rows()));
            assertThat(counts.values()).isSubsetOf(1L, 10L);
        });
    }

    @Test
    void refusesSharesAndCountsThatAreNone() {
        assertThatThrownBy(() -> new Duplicate(Double.NaN, 2)).hasMessageContaining("share");
        assertThatThrownBy(() -> new Duplicate(0.1, 0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("times");
    }
}
