package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.testkit.RawAttackContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SentinelTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new Sentinel(0.3, -999);
    }

    @Test
    void aShareOfTheNumbersIsReplaced() {
        Table table = Table.of(Samples.dataset(Seed.of(1), 4000, 20));
        RawContext context = context(table, Seed.of(2), 2);
        Table poisoned = attack().poison(context);
        int[] rows = context.workers().get(2);
        long hit = Arrays.stream(rows)
                .mapToLong(r -> Arrays.stream(poisoned.cells().row(r))
                        .filter(x -> x == -999)
                        .count())
                .sum();
        assertThat((double) hit / (20 * rows.length)).isCloseTo(0.3, within(0.025)); // five standard errors
    }

    @Test
    void sparseRowsThatWouldBecomeTooManyNumbersAreRefused() {
        Table table = Table.of(Samples.sparse(Seed.of(1), 600, 1_000_000, 2));
        assertThatThrownBy(() -> attack().poison(context(table, Seed.of(2), 2)))
                .isInstanceOf(InputException.class)
                .hasMessageMatching(
                        "sentinel would fill \\d+ cells of sparse rows, more than 50000000; use another attack");
    }

    @Test
    void refusesWhatIsNoShareOrValue() {
        assertThatThrownBy(() -> new Sentinel(Double.NaN, 1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new Sentinel(0.5, Double.NaN)).isInstanceOf(InputException.class);
    }
}
