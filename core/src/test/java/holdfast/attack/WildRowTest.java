package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.testkit.RawAttackContract;
import org.junit.jupiter.api.Test;

class WildRowTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new WildRow(1e6);
    }

    @Test
    void oneRowOfEachLiarIsFarAwayInEveryNumber() {
        Table table = table(Seed.of(1));
        Table poisoned = attack().poison(context(table, Seed.of(2), 0, 3));
        int[] rows = changed(table, poisoned);
        assertThat(rows).hasSize(2);
        for (int r : rows) {
            assertThat(poisoned.cells().row(r))
                    .containsExactly(1e6, 1e6, table.cells().row(r)[2], 1e6);
        }
    }

    @Test
    void refusesAValueThatNoFileCouldHave() {
        assertThatThrownBy(() -> new WildRow(Double.POSITIVE_INFINITY)).isInstanceOf(InputException.class);
    }
}
