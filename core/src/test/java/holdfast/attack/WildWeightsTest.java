package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.testkit.RawAttackContract;
import holdfast.testkit.Samples;
import org.junit.jupiter.api.Test;

class WildWeightsTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new WildWeights(1e12, WildWeights.Extent.ONE);
    }

    @Test
    void oneRowOrAllAreHeavy() {
        Table table = table(Seed.of(1));
        RawContext context = context(table, Seed.of(2), 3);
        int[] one = changed(table, attack().poison(context));
        assertThat(one).hasSize(1);
        assertThat(attack().poison(context).cells().weight(one[0])).isEqualTo(1e12);
        Table all = new WildWeights(7, WildWeights.Extent.ALL).poison(context);
        assertThat(changed(table, all)).isEqualTo(context.workers().get(3));
        assertThat(all.cells().weight(context.workers().get(3)[5])).isEqualTo(7);
    }

    @Test
    void whoHandsInNoWeightsCannotMakeThemWild() {
        Table table = Table.of(Samples.dataset(Seed.of(1), 100, 3));
        assertThatThrownBy(() -> attack().poison(context(table, Seed.of(2), 0)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("wild-weights: rows must have weights, see --weights-by, but those of ");
    }

    @Test
    void refusesAWeightThatNoFileCouldHave() {
        for (double value : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new WildWeights(value, WildWeights.Extent.ALL))
                    .isInstanceOf(InputException.class);
        }
    }
}
