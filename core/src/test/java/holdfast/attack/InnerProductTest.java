package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.testkit.AttackContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class InnerProductTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new InnerProduct(2);
    }

    @Test
    void refusesAStrengthThatIsNone() {
        for (double tau : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new InnerProduct(tau))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("tau");
        }
    }

    @Test
    void whatWouldOverflowBecomesTheLargestDouble() {
        AttackContext now = withoutData(List.of(new double[] {1e308, -1e-308}), 1, new Mean(), Seed.of(1));
        assertThat(new InnerProduct(1e10).forge(now).get(0)).containsExactly(-Double.MAX_VALUE, 1e-298);
    }
}
