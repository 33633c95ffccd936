package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Laws;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import java.util.List;
import org.junit.jupiter.api.Test;

class BelowCutOptimisedTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new BelowCutOptimised(4);
    }

    @Test
    void doesAtLeastAsMuchHarmAsBelowCutToEveryRule() {
        Laws.check(30, seed -> {
            Situation now = BelowCutTest.screened(seed);
            for (String name : Aggregators.rules(1).names()) {
                Situation other = new Situation(
                        now.truth(),
                        now.byzantine(),
                        Aggregators.rules(now.byzantine().length).create(Spec.parse(name)),
                        seed);
                if (other.defence().leastWorkers() <= now.truth().workers()) {
                    assertThat(BelowCutTest.progress(other, attack().forge(other)))
                            .as(name)
                            .isLessThanOrEqualTo(BelowCutTest.progress(other, new BelowCut().forge(other)) + 1e-9);
                }
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
