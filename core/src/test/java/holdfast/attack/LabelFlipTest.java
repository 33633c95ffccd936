package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.testkit.Laws;
import holdfast.testkit.RowAttackContract;
import holdfast.testkit.Samples;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelFlipTest extends RowAttackContract {
    @Override
    protected RowAttack attack() {
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
    void manyClassesAreMirroredAndNumbersInTheirRange() {
        Dataset five = Samples.classes(Seed.of(1), 100, 3, 5, 0);
        Dataset flipped = new LabelFlip(1).poison(five, Seed.of(2));
        Dataset numbers = Samples.numbers(Seed.of(1), 100, 3, 0);
        Dataset mirrored = new LabelFlip(1).poison(numbers, Seed.of(2));
        double[] before =
                IntStream.range(0, 100).mapToDouble(numbers::label).sorted().toArray();
        double[] after =
                IntStream.range(0, 100).mapToDouble(mirrored::label).sorted().toArray();
        assertThat(after[0]).isCloseTo(before[0], within(1e-12));
        assertThat(after[99]).isCloseTo(before[99], within(1e-12));
        for (int r = 0; r < 100; r++) {
            assertThat(flipped.label(r)).isEqualTo(4 - five.label(r));
            assertThat(mirrored.label(r) + numbers.label(r)).isCloseTo(before[0] + before[99], within(1e-12));
        }
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
