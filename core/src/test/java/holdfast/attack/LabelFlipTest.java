package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Laws;
import holdfast.data.Dataset;
import org.junit.jupiter.api.Test;

class LabelFlipTest extends DataAttackContract {
    @Override
    protected DataAttack attack() {
        return new LabelFlip(1);
    }

    @Override
    protected boolean draws() {
        return false;
    }

    @Test
    void turnsAShareOfTheLabelsAndNoFeature() {
        Laws.check(20, seed -> {
            Dataset shard = shard(seed);
            double share = seed.random().nextDouble();
            Dataset poisoned = new LabelFlip(share).poison(shard, seed);
            int flipped = 0;
            for (int r = 0; r < shard.rows(); r++) {
                assertThat(poisoned.row(r)).isEqualTo(shard.row(r));
                flipped += poisoned.label(r) == 1 - shard.label(r) ? 1 : 0;
            }
            assertThat(flipped).isEqualTo((int) Math.round(share * shard.rows()));
        });
    }

    @Test
    void refusesAShareThatIsNone() {
        for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> new LabelFlip(share))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("share");
        }
    }
}
