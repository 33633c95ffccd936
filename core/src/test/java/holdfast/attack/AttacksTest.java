package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Spec;
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
    }

    @Test
    void unknownNamesAndParametersListTheKnown() {
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("agressive")))
                .isInstanceOf(InputException.class)
                .hasMessage("unknown attack 'agressive'; known: none, aggressive, intelligent");
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("aggressive(faktor=3)")))
                .hasMessage("attack aggressive: unknown parameter 'faktor'; known: factor");
        assertThatThrownBy(() -> Attacks.catalogue().create(Spec.parse("aggressive(factor=ten)")))
                .hasMessage("attack aggressive: factor must be a number, got 'ten'");
    }
}
