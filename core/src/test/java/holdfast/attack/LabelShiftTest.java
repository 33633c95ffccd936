package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.testkit.RawAttackContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LabelShiftTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new LabelShift(3, 1);
    }

    @Override
    protected boolean draws() {
        return false;
    }

    @Test
    void aClassBecomesTheNextOne() {
        Table table = Table.of(Samples.classes(Seed.of(1), 300, 2, 3, 0));
        RawContext context = context(table, Seed.of(2), 1);
        Dataset poisoned = attack().poison(context).cells();
        for (int r : context.workers().get(1)) {
            assertThat(poisoned.label(r)).isEqualTo((table.cells().label(r) + 1) % 3);
        }
    }

    @Test
    void numbersMoveByStandardDeviationsOfTheLiarsOwn() {
        Dataset rows = Samples.numbers(Seed.of(1), 600, 2, 0);
        RawContext context = context(Table.of(rows), Seed.of(2), 1);
        double[] own =
                Arrays.stream(context.workers().get(1)).mapToDouble(rows::label).toArray();
        double mean = Arrays.stream(own).average().orElseThrow();
        double sd = Math.sqrt(
                Arrays.stream(own).map(y -> (y - mean) * (y - mean)).average().orElseThrow());
        Dataset poisoned = new LabelShift(3, -2).poison(context).cells();
        for (int r : context.workers().get(1)) {
            assertThat(poisoned.label(r)).isCloseTo(3 * sd - 2 * rows.label(r), within(1e-12));
        }
    }

    @Test
    void countsStayCounts() {
        Table table = Table.of(Samples.counts(Seed.of(1), 300, 5));
        Dataset poisoned = attack().poison(context(table, Seed.of(2), 1)).cells();
        for (int r = 0; r < poisoned.rows(); r++) {
            assertThat(poisoned.label(r))
                    .isEqualTo(Math.rint(poisoned.label(r)))
                    .isNotNegative();
        }
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertThatThrownBy(() -> new LabelShift(Double.NaN, 1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new LabelShift(1, Double.POSITIVE_INFINITY)).isInstanceOf(InputException.class);
    }
}
