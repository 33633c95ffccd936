package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.testkit.AttackContract;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GaussianTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Gaussian(0, 1);
    }

    @Test
    void everyLiarDrawsItsOwnWithTheGivenMoments() {
        AttackContext now = withoutData(List.of(new double[20_000]), 3, new Mean(), Seed.of(1));
        List<double[]> forged = new Gaussian(2, 3).forge(now);
        assertThat(forged.get(0)[0]).isNotEqualTo(forged.get(1)[0]).isNotEqualTo(forged.get(2)[0]);
        assertThat(forged).allSatisfy(v -> {
            double mean = Arrays.stream(v).average().orElseThrow();
            double variance =
                    Arrays.stream(v).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
            assertThat(mean).isCloseTo(2, within(0.11)); // five standard errors each
            assertThat(variance).isCloseTo(9, within(0.45));
        });
    }

    @Test
    void refusesMomentsThatAreNone() {
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Gaussian(bad, 1)).hasMessageContaining("mu");
            assertThatThrownBy(() -> new Gaussian(0, bad)).hasMessageContaining("sigma");
        }
        assertThatThrownBy(() -> new Gaussian(0, -1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("sigma");
    }
}
