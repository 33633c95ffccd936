package holdfast.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToleratedTest {
    @ParameterizedTest
    @CsvSource({
        "0.28, 25, 7", // ceil(0.28 * 25) is 8 in binary arithmetic
        "auto, 1, 0",
        "auto, 3, 0",
        "auto, 4, 1",
        "auto, 10, 1",
        "auto, 12, 2",
        "0.1, 10, 1",
        "0.1, 11, 2",
        "0, 5, 0",
        "3, 4, 3",
        "3.0, 4, 3",
        "0.999, 1000, 999"
    })
    void aShareIsRoundedUpInDecimalArithmetic(String text, int workers, int count) {
        assertThat(Tolerated.parse(text).among(workers)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "11", "0.95", "-1", "-0.1", "1.5", "NaN", "many", "", "1e999999999"})
    void refusesWhatLeavesNobodyOrIsNoCount(String text) {
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThatThrownBy(() -> Tolerated.parse(text).among(10))
                        .isInstanceOf(InputException.class)
                        .hasMessageStartingWith("--tolerated must be "));
    }

    @Test
    void theSmallestShareIsOneWorker() {
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(Tolerated.parse("1e-999999999").among(10)).isOne());
    }

    @Test
    void oneIsACountAndNoShare() {
        assertThat(Tolerated.parse("1").among(10)).isOne();
        assertThat(Tolerated.parse("1.0").among(10)).isOne();
        assertThat(Tolerated.parse("0").among(10)).isZero();
        assertThat(Tolerated.parse("0.1").among(10)).isOne();
    }

    /** Whatever the order they are asked about in. */
}
