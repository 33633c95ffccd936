package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.testkit.RawAttackContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CategoryFloodTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new CategoryFlood();
    }

    @Override
    protected boolean draws() {
        return false;
    }

    @Override
    protected boolean poisonsNumbers() {
        return false;
    }

    @Test
    void everyRowOfALiarHasACategoryOfItsOwn() {
        Table table = table(Seed.of(1));
        RawContext context = context(table, Seed.of(2), 0, 3);
        Table poisoned = attack().poison(context);
        double[] met = context.liars().stream()
                .flatMapToInt(liar -> Arrays.stream(liar.rows()))
                .mapToDouble(r -> poisoned.cells().row(r)[2])
                .toArray();
        assertThat(met).doesNotHaveDuplicates();
        assertThat(Arrays.stream(met)).allMatch(code -> code >= 3);
        assertThat(poisoned.columns().get(2).categories()).hasSize(3 + met.length);
    }

    @Test
    void numbersAloneCannotBeFlooded() {
        Table table = Table.of(Samples.dataset(Seed.of(1), 100, 3));
        assertThatThrownBy(() -> attack().poison(context(table, Seed.of(2), 0)))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "category-flood: a column must hold text, but %s has numbers only",
                        table.source().name());
    }
}
