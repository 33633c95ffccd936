package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.testkit.RawAttackContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnitsTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new Units(1000, 1);
    }

    @Override
    protected boolean draws() {
        return false;
    }

    @Test
    void numbersAreMultipliedAndTheRestStays() {
        Table table = table(Seed.of(1));
        RawContext context = context(table, Seed.of(2), 3);
        Table poisoned = attack().poison(context);
        for (int r : context.workers().get(3)) {
            double[] before = table.cells().row(r);
            double[] after = poisoned.cells().row(r);
            assertThat(after).containsExactly(1000 * before[0], 1000 * before[1], before[2], 1000 * before[3]);
            assertThat(poisoned.cells().label(r)).isEqualTo(table.cells().label(r));
            assertThat(poisoned.cells().weight(r)).isEqualTo(table.cells().weight(r));
        }
    }

    @Test
    void aShareOfTheColumnsIsTheSameForAllLiars() {
        Table table = Table.of(Samples.dataset(Seed.of(1), 200, 10));
        Table poisoned = new Units(1e300, 0.3).poison(context(table, Seed.of(2), 0, 5));
        int[] hit = IntStream.range(0, 10)
                .filter(c -> Math.abs(poisoned.cells().row(1)[c]) > 1e100)
                .toArray();
        assertThat(hit).hasSize(3);
        for (int r : changed(table, poisoned)) {
            for (int c = 0; c < 10; c++) {
                boolean far = Math.abs(poisoned.cells().row(r)[c]) > 1e100;
                assertThat(far).isEqualTo(Arrays.binarySearch(hit, c) >= 0);
            }
        }
    }

    @Test
    void refusesWhatIsNoFactorOrShare() {
        assertThatThrownBy(() -> new Units(Double.NaN, 1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new Units(2, Double.NaN)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new Units(2, 1.1)).isInstanceOf(InputException.class);
    }
}
