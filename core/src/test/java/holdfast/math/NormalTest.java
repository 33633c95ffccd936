package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalTest {
    /** mpmath 1.2.1 with 40 digits, ncdf. */
    @ParameterizedTest
    @CsvSource({
        "-100, 0",
        "-7.9, 1.3945171466592683e-15",
        "-7, 1.279812543885835e-12",
        "-6, 9.8658764503769814e-10",
        "-5, 2.8665157187919391e-7",
        "-4.5, 3.3976731247300604e-6",
        "-3.090232306167813, 0.001",
        "-3, 0.0013498980316300945",
        "-2.3263478740408408, 0.01",
        "-2, 0.022750131948179207",
        "-1.959963984540054, 0.025",
        "-1.6448536269514722, 0.05",
        "-1, 0.15865525393145705",
        "-0.1, 0.46017216272297102",
        "0, 0.5",
        "0.3, 0.61791142218895264",
        "1, 0.8413447460685429",
        "1.5, 0.93319279873114193",
        "3, 0.99865010196836991",
        "8, 0.99999999999999938",
        "100, 1"
    })
    void isTheNormalDistribution(double z, double probability) {
        assertThat(Normal.below(z)).isCloseTo(probability, within(2e-15));
    }

    /** Student's distribution becomes normal, with a difference of about z^3/(4 degrees) of the density. */
    @Test
    void isStudentsWithManyDegrees() {
        Laws.check(20, seed -> {
            double z = 2 * seed.random().nextGaussian();
            assertThat(StudentT.above(-z, 200_001)).isCloseTo(Normal.below(z), within(2e-6));
        });
    }
}
