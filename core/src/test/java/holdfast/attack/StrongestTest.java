package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.AdaptiveScreening;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrongestTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Strongest();
    }

    /** Ten honest updates of 1 and two liars whom the rule lets be this many times as long: (10 - 2 factor) / 12. */
    @Test
    void liesAreAsLongAsTheRuleLetsThemBe() {
        List<double[]> honest = Collections.nCopies(10, new double[] {1});
        for (double factor : new double[] {1.1, 1.5, 3, 7.3, 50, 500}) {
            AttackContext now = withoutData(honest, 2, new AdaptiveScreening(0, factor, 0.01), Seed.of(1));
            assertThat(BelowCutTest.progress(now, attack().forge(now)))
                    .as("factor %s", factor)
                    .isCloseTo((10 - 2 * factor) / 12, within(1e-4 * factor));
        }
    }

    @Test
    void noAttackItTriesDoesMoreHarmToAnyRule() {
        Laws.check(10, seed -> {
            for (AttackContext now : BelowCutTest.beforeEveryRule(BelowCutTest.screened(seed))) {
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
