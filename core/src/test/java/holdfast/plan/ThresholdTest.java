package holdfast.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "auto", "0.2", "cost(false-positive=1, false-negative=20)"})
    void theTextReadsBack(String text) {
        assertThat(Threshold.parse(text)).hasToString(text);
        assertThat(PlanKey.THRESHOLD.parse(text)).isEqualTo(Threshold.parse(text));
    }

    /** At the threshold, a false positive, a (1 - p), costs as much as a false negative, b p. */
    @ParameterizedTest
    @CsvSource({"1,20", "3,3", "50,0.5", "1e-200,1e200", "1e308,1e308"})
    void atTheThresholdBothMistakesCostTheSame(double a, double b) {
        double p = Threshold.cost(a, b).probability().orElseThrow();
        assertThat(p).isStrictlyBetween(0.0, 1.0);
        assertThat(a > 1e100 || b > 1e100 ? 1 : a * (1 - p) / (b * p)).isCloseTo(1, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | --threshold must be above 0 and below 1, got 0",
                "1 | --threshold must be above 0 and below 1, got 1",
                "NaN | --threshold must be above 0 and below 1, got NaN",
                "half | --threshold must be none, auto, a number or cost(false-positive=1, false-negative=20), got 'half'",
                "cost(false-positive=1) | --threshold must be none, auto, a number or cost(false-positive=1,"
                        + " false-negative=20), got 'cost(false-positive=1)'",
                "cost(false-positive=1, false-negative=0) | --threshold: cost: false-positive and false-negative must be > 0"
                        + " and finite, got 1 and 0"
            })
    void otherTextIsRefused(String text, String message) {
        assertThatThrownBy(() -> PlanKey.THRESHOLD.parse(text))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void theDataDecideWhereNoNumberIsGiven() {
        assertThat(Threshold.NONE.probability()).isEmpty();
        assertThat(Threshold.AUTO.probability()).isEmpty();
    }
}
