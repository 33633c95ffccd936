package holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpecTest {
    @Test
    void isANameWithParameters() {
        assertThat(Spec.parse(" mean ")).isEqualTo(new Spec("mean", Map.of()));
        assertThat(Spec.parse("mean()")).isEqualTo(new Spec("mean", Map.of()));
        assertThat(Spec.parse("a-b( x = 1 ,y=z)")).isEqualTo(new Spec("a-b", Map.of("x", "1", "y", "z")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "norm-screening(f=3)", "a(b=1, c=-2.5e-3)"})
    void printsWhatItReads(String text) {
        assertThat(Spec.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a(", "a(b)", "a(b=1,)", "a(b=1, b=2)", "a(=1)"})
    void refusesAnythingElse(String text) {
        assertThatThrownBy(() -> Spec.parse(text)).isInstanceOf(InputException.class);
    }

    @Test
    void aListIsSplitAtTheCommasBetweenSpecs() {
        assertThat(Spec.split("mean")).containsExactly("mean");
        assertThat(Spec.split(" a(b=1, c=2),nnm + d( e = 3 ) , f "))
                .containsExactly("a(b=1, c=2)", "nnm + d( e = 3 )", "f");
        assertThat(Spec.split("a(b=1, c=2) + d(e=3, f=4), g")).containsExactly("a(b=1, c=2) + d(e=3, f=4)", "g");
        assertThat(Spec.split(", a,, b,")).containsExactly("a", "b");
        assertThat(Spec.split(" ")).isEmpty();
        assertThat(Spec.split("a(b=1, c")).containsExactly("a(b=1", "c");
    }
}
