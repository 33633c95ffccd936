package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;

class AggressiveTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Aggressive(10);
    }

    @Test
    void sendsMinusTenTimesTheMeanOfAllTruthfulUpdates() {
        Laws.check(100, seed -> {
            AttackContext now = situation(seed, 1);
            double[] expected = new double[now.truth().theta().length];
            now.truth().updates().forEach(v -> {
                for (int i = 0; i < expected.length; i++) {
                    expected[i] -= 10 * v.vector()[i] / now.truth().updates().size();
                }
            });
            assertThat(attack().forge(now)).allSatisfy(v -> assertThat(v).containsExactly(expected, within(1e-13)));
        });
    }

    @Test
    void refusesAFactorThatIsNone() {
        for (double factor : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Aggressive(factor))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("factor");
        }
    }
}
