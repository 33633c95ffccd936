package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.model.Smoothness;
import org.junit.jupiter.api.Test;

class RobustSurrogateTest {
    @Test
    void lemmaOneGivesTheSmoothnessOfTheObjective() {
        Smoothness s = new Smoothness(2, 3, 5, 1);
        assertThat(RobustSurrogate.objectiveSmoothness(s, 4)).isEqualTo(2 + 3 * 5 / 3.0);
        assertThat(RobustSurrogate.objectiveSmoothness(s, Double.POSITIVE_INFINITY))
                .isEqualTo(2);
        assertThat(RobustSurrogate.objectiveSmoothness(s, 1)).isInfinite();
        assertThat(RobustSurrogate.objectiveSmoothness(s, Double.NaN)).isInfinite();
    }

    @Test
    void conditionsHoldUpToTheirLimits() {
        assertThat(RobustSurrogate.isConcave(1, 1)).isFalse();
        assertThat(RobustSurrogate.isConcave(1, 1.001)).isTrue();
        assertThat(RobustSurrogate.isConcave(Double.NaN, 1)).isFalse();
    }

    @Test
    void aMoveIsBoundByTheSlopeHereAndEverywhere() {
        assertThat(RobustSurrogate.farthestMove(1, Double.POSITIVE_INFINITY, 2, 3, 4))
                .isEqualTo(2);
        assertThat(RobustSurrogate.farthestMove(1, 1, 2, 3, 4)).isEqualTo(0.5);
        assertThat(RobustSurrogate.farthestMove(1, 1, 2, 3, Double.POSITIVE_INFINITY))
                .isZero();
        // Infinity times 0 is not a bound.
        assertThat(RobustSurrogate.farthestMove(1, Double.POSITIVE_INFINITY, 0, 3, 4))
                .isZero();
    }
}
