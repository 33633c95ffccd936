package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import holdfast.Spec;
import org.junit.jupiter.api.Test;

class StrongestTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Strongest();
    }

    @Test
    void noAttackItTriesDoesMoreHarmToAnyRule() {
        Laws.check(10, seed -> {
            for (Situation now : BelowCutTest.beforeEveryRule(BelowCutTest.screened(seed))) {
                double ours = BelowCutTest.progress(now, attack().forge(now));
                for (String text : new String[] {
                    "aggressive",
                    "intelligent",
                    "sign-flip",
                    "gaussian",
                    "huge",
                    "ipm",
                    "alie",
                    "mimic",
                    "min-max",
                    "min-max(direction=sign)",
                    "min-sum(direction=unit)",
                    "fang",
                    "below-cut",
                    "below-cut-optimised(tries=0)"
                }) {
                    UpdateAttack other = (UpdateAttack) Attacks.catalogue().create(Spec.parse(text));
                    double theirs = BelowCutTest.progress(now, other.forge(now));
                    assertThat(ours)
                            .as("%s on %s", text, now.defence())
                            .isLessThanOrEqualTo(theirs + 1e-9 * (1 + Math.abs(theirs)));
                }
            }
        });
    }
}
