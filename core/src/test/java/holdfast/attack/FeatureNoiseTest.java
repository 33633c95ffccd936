package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.testkit.RowAttackContract;
import holdfast.testkit.Samples;
import org.junit.jupiter.api.Test;

class FeatureNoiseTest extends RowAttackContract {
    @Override
    protected RowAttack attack() {
        return new FeatureNoise(3);
    }

    @Test
    void theMovesHaveMeanZeroAndTheGivenDeviationAndLabelsStay() {
        Dataset shard = Samples.dataset(Seed.of(1), 4000, 5);
        Dataset poisoned = attack().poison(shard, Seed.of(2));
        double sum = 0;
        double squares = 0;
        for (int r = 0; r < shard.rows(); r++) {
            assertThat(poisoned.label(r)).isEqualTo(shard.label(r));
            for (int i = 0; i < 5; i++) {
                double move = poisoned.row(r)[i] - shard.row(r)[i];
                sum += move / 20_000;
                squares += move * move / 20_000;
            }
        }
        assertThat(sum).isCloseTo(0, within(0.11)); // five standard errors each
        assertThat(squares).isCloseTo(9, within(0.45));
    }

    @Override
    protected boolean fills() {
        return true;
    }

    @Test
    void sparseRowsThatWouldBecomeTooManyNumbersAreRefused() {
        Dataset shard = Samples.sparse(Seed.of(1), 60, 1_000_000, 2);
        assertThatThrownBy(() -> attack().poison(shard, Seed.of(2)))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("more than 50000000 values; use another attack than feature-noise");
    }

    @Test
    void refusesADeviationThatIsNone() {
        for (double sd : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new FeatureNoise(sd))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("sd");
        }
    }
}
