package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.testkit.AttackContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class ALittleTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new ALittle(1.5);
    }

    @Test
    void isTheMeanPlusDeviationsAtEverySize() {
        for (double size : new double[] {1e-300, 1, 1e300}) {
            AttackContext now = withoutData(
                    List.of(new double[] {1 * size}, new double[] {3 * size}, new double[] {8 * size}),
                    1,
                    new Mean(),
                    Seed.of(1));
            // Mean 4, squared deviations 9 + 1 + 16 = 26, variance 13.
            assertThat(attack().forge(now).get(0)[0] / size).isCloseTo(4 + 1.5 * Math.sqrt(13), within(1e-14));
        }
    }

    @Test
    void refusesAStrengthThatIsNone() {
        for (double tau : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new ALittle(tau))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("tau");
        }
    }
}
