package holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CloseNamesTest {
    @Test
    void fewestEditsComeFirst() {
        assertThat(CloseNames.of("Bren", List.of("Basel", "Bern", "Brno", "Thun", "Bre", "Chur", "Genf")))
                .containsExactly("Bre", "Bern", "Brno", "Basel", "Genf");
        assertThat(CloseNames.of("x", List.of())).isEmpty();
        assertThat(CloseNames.of("", List.of("ab", "a"))).containsExactly("a", "ab");
    }
}
