package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Mean;
import holdfast.testkit.AttackContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class NonFiniteTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new NonFinite(Double.NaN);
    }

    @Override
    protected boolean finite() {
        return false;
    }

    @Test
    void fillsTheVectorWithWhatItsNameSays() {
        AttackContext now = withoutData(List.of(new double[2]), 1, new Mean(), Seed.of(1));
        assertThat(forge("nan", now)).containsExactly(Double.NaN, Double.NaN);
        assertThat(forge("inf", now)).containsExactly(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    private static double[] forge(String name, AttackContext now) {
        return ((UpdateAttack) Attacks.catalogue().create(Spec.parse(name)))
                .forge(now)
                .get(0);
    }

    @Test
    void refusesAFiniteValue() {
        assertThatThrownBy(() -> new NonFinite(1)).isInstanceOf(InputException.class);
    }
}
