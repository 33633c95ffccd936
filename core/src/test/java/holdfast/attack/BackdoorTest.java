package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.testkit.Laws;
import holdfast.testkit.RowAttackContract;
import holdfast.testkit.Samples;
import org.junit.jupiter.api.Test;

class BackdoorTest extends RowAttackContract {
    @Override
    protected RowAttack attack() {
        return new Backdoor(0.5, 0, 5, 1);
    }

    @Test
    void halfTheRowsGetTheTriggerAndTheTargetAndTheOthersStay() {
        Laws.check(20, seed -> {
            Dataset shard = shard(seed);
            Dataset poisoned = new Backdoor(0.5, 2, 5, 0).poison(shard, seed);
            int marked = 0;
            for (int r = 0; r < shard.rows(); r++) {
                double[] expected = shard.row(r);
                if (poisoned.row(r)[2] == 5) {
                    marked++;
                    expected[2] = 5;
                    assertThat(poisoned.label(r)).isZero();
                } else {
                    assertThat(poisoned.label(r)).isEqualTo(shard.label(r));
                }
                assertThat(poisoned.row(r)).isEqualTo(expected);
            }
            assertThat(marked).isEqualTo((int) Math.round(0.5 * shard.rows()));
        });
    }

    @Test
    void refusesWhatIsNoTrigger() {
        assertThatThrownBy(() -> new Backdoor(2, 0, 5, 1)).hasMessageContaining("share");
        assertThatThrownBy(() -> new Backdoor(0.5, -1, 5, 1)).hasMessageContaining("column");
        assertThatThrownBy(() -> new Backdoor(0.5, 0, Double.NaN, 1)).hasMessageContaining("value");
        assertThatThrownBy(() -> new Backdoor(0.5, 0, 5, -1)).hasMessageContaining("target");
        assertThatThrownBy(() -> new Backdoor(0.5, 0, 5, 2).poison(shard(Seed.of(1)), Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessage("backdoor: target must be below the 2 classes, got 2");
        assertThatThrownBy(() -> attack().poison(Samples.numbers(Seed.of(1), 10, 2, 0), Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessage("backdoor: the target must be a class, but y has numbers");
        assertThatThrownBy(() -> new Backdoor(0.5, 3, 5, 1).poison(shard(Seed.of(1)), Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessage("backdoor: column must be below the 3 feature columns, got 3");
    }
}
