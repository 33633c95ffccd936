package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Laws;
import java.util.List;
import org.junit.jupiter.api.Test;

class BelowCutOptimisedTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new BelowCutOptimised(4);
    }

    @Test
    void doesAtLeastAsMuchHarmAsBelowCutToEveryRule() {
        Laws.check(10, seed -> {
            for (Situation now : BelowCutTest.beforeEveryRule(BelowCutTest.screened(seed))) {
                double plain = BelowCutTest.progress(now, new BelowCut().forge(now));
                assertThat(BelowCutTest.progress(now, attack().forge(now)))
                        .as("%s", now.defence())
                        .isLessThanOrEqualTo(plain + 1e-9 * (1 + Math.abs(plain)));
            }
        });
    }

    @Test
    void noTwoLiarsSendTheSame() {
        Laws.check(100, seed -> {
            List<double[]> forged = attack().forge(BelowCutTest.screened(seed));
            for (int i = 1; i < forged.size(); i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(forged.get(i)).isNotEqualTo(forged.get(j));
                }
            }
        });
    }

    @Test
    void refusesFewerTriesThanNone() {
        assertThatThrownBy(() -> new BelowCutOptimised(-1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tries");
    }
}
