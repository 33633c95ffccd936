package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Spec;
import holdfast.testkit.AttackContract;
import org.junit.jupiter.api.Test;

class AttacksTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return Attacks.NONE;
    }

    @Test
    void namesMakeTheAttacks() {
        assertThat(Attacks.catalogue().create(Spec.parse("aggressive"))).isEqualTo(new Aggressive(10));
        assertThat(Attacks.catalogue().create(Spec.parse("intelligent(share=0.5)")))
                .isEqualTo(new Intelligent(0.5));
        assertThat(Attacks.catalogue().create(Spec.parse("min-sum(direction=sign)")))
                .isEqualTo(new MinSum(Perturbation.SIGN));
        assertThat(Attacks.catalogue().create(Spec.parse("fang"))).isEqualTo(new FangTrimmedMean());
        assertThat(Attacks.catalogue().create(Spec.parse("fang(against=krum)"))).isEqualTo(new FangKrum());
        assertThat(Attacks.catalogue().create(Spec.parse("backdoor(value=-1, target=0)")))
                .isEqualTo(new Backdoor(0.5, 0, -1, 0));
        assertThat(Attacks.catalogue().create(Spec.parse("wild-weights")))
                .isEqualTo(new WildWeights(1e12, WildWeights.Extent.ONE));
        assertThat(Attacks.catalogue().create(Spec.parse("wild-weights(rows=all)")))
                .isEqualTo(new WildWeights(1e12, WildWeights.Extent.ALL));
    }

    @Test
    void unknownNamesAndParametersListTheKnown() {
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("agressive")))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("unknown attack 'agressive'; known: none, aggressive, intelligent, sign-flip, ")
                .hasMessageEndingWith(", against-preparation");
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("aggressive(faktor=3)")))
                .hasMessage("attack aggressive: unknown parameter 'faktor'; known: factor");
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("min-max(direction=up)")))
                .hasMessage("attack min-max: direction must be one of std, sign, unit, got 'up'");
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("aggressive(factor=ten)")))
                .hasMessage("attack aggressive: factor must be a number, got 'ten'");
    }
}
