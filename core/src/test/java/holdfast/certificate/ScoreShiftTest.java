package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScoreShiftTest {
    /** numpy: both lists repeated to the same length, sorted, and the mean squared difference. */
    @Test
    void listsOfDifferentLengths() {
        double[] a = IntStream.range(0, 6)
                .mapToDouble(i -> (7 * i * i + 3 * i) % 101)
                .toArray();
        double[] b = IntStream.range(0, 9)
                .mapToDouble(i -> (11 * i * i + 5 * i + 2) % 97)
                .toArray();
        assertThat(ScoreShift.squaredDistance(a, b)).isCloseTo(80.77777777777777, within(1e-9));
        assertThat(ScoreShift.squaredDistance(b, a)).isCloseTo(80.77777777777777, within(1e-9));
        assertThat(ScoreShift.squaredDistance(a, a)).isZero();
    }
}
