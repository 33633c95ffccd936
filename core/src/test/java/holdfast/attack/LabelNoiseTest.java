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

class LabelNoiseTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new LabelNoise(1);
    }

    @Test
    void classesAreDrawnUniformly() {
        Table table = Table.of(Samples.classes(Seed.of(1), 6000, 2, 4, 0));
        RawContext context = context(table, Seed.of(2), 1);
        Dataset poisoned = attack().poison(context).cells();
        int[] rows = context.workers().get(1);
        for (int c = 0; c < 4; c++) {
            int label = c;
            double share = (double) Arrays.stream(rows)
                            .filter(r -> poisoned.label(r) == label)
                            .count()
                    / rows.length;
            assertThat(share).isCloseTo(0.25, within(0.075)); // five standard errors
        }
        assertThat(changed(table, new LabelNoise(0.2).poison(context)).length)
                .isBetween(rows.length / 10, rows.length / 5);
    }

    @Test
    void numbersAreLabelsOfOtherRows() {
        Table table = Table.of(Samples.numbers(Seed.of(1), 600, 2, 0));
        RawContext context = context(table, Seed.of(2), 1);
        int[] rows = context.workers().get(1);
        double[] own =
                Arrays.stream(rows).mapToDouble(table.cells()::label).sorted().toArray();
        Table poisoned = attack().poison(context);
        for (int r : rows) {
            assertThat(Arrays.binarySearch(own, poisoned.cells().label(r))).isNotNegative();
        }
        assertThat(changed(table, poisoned).length).isGreaterThan(rows.length / 2);
    }

    @Test
    void refusesAShareThatIsNone() {
        assertThatThrownBy(() -> new LabelNoise(Double.NaN)).isInstanceOf(InputException.class);
    }
}
