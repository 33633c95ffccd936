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

class HugeTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Huge(1e300);
    }

    @Test
    void pointsAgainstTheHonestMeanAndIsAsLongAsAsked() {
        AttackContext now = withoutData(List.of(new double[] {6, 0}, new double[] {0, 8}), 2, new Mean(), Seed.of(1));
        assertThat(attack().forge(now))
                .allSatisfy(v -> assertThat(v).containsExactly(new double[] {-6e299, -8e299}, within(1e286)));
    }

    @Test
    void refusesASizeThatIsNone() {
        for (double size : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Huge(size))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("size");
        }
    }
}
