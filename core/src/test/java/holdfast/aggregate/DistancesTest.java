package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DistancesTest {
    /** In decimal arithmetic, which knows no overflow. */
    private static BigDecimal distance(double[] a, double[] b) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = 0; k < a.length; k++) {
            sum = sum.add(new BigDecimal(a[k]).subtract(new BigDecimal(b[k])).pow(2));
        }
        return sum.sqrt(MathContext.DECIMAL64);
    }

    @Test
    void areThoseOfDecimalArithmeticWhateverTheSizes() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double[] scales = {1e-200, 1e-100, 1, 1e150, 1e200, 1e307};
            double[][] x = new double[5][];
            for (int i = 0; i < x.length; i++) {
                x[i] = random.gaussians(4);
                double scale = scales[random.nextInt(scales.length)];
                for (int k = 0; k < 4; k++) {
                    x[i][k] *= scale;
                }
            }
            Round round = Round.of(x);
            Distances distances = Distances.among(round);
            double[][] matrix = distances.matrix();
            for (int i = 0; i < x.length; i++) {
                assertThat(matrix[i]).isEqualTo(Distances.from(x[i], round).values());
                for (int j = 0; j < x.length; j++) {
                    double expected = distance(x[i], x[j])
                            .divide(new BigDecimal(distances.unit()), MathContext.DECIMAL64)
                            .doubleValue();
                    assertThat(matrix[i][j]).isCloseTo(expected, within(1e-14 * expected));
                }
            }
        });
    }

    @Test
    void whileAMeanIsMadeAreThoseFromTheMeanToTheBitAlsoWhereItOverflowsOnTheWay() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int length = 1 + random.nextInt(2500);
            double scale = random.nextInt(2) == 0 ? 1 : 4e307;
            double[][] x = new double[1 + random.nextInt(20)][];
            Arrays.setAll(x, i -> Vectors.clamped(Vectors.scaled(scale, random.gaussians(length))));
            double[] weights = random.gaussians(x.length);
            Arrays.setAll(weights, i -> Math.min(1, Math.abs(weights[i])));
            Round round = Round.of(x);
            Distances.Approach approach = new Distances.Approach(round, length);
            double[] mean = Mean.of(round.updates(), weights, round.threads(), approach::add);
            Distances.Far far = approach.far(mean);
            Distances.Far expected = Distances.from(mean, round);
            assertThat(far.unit()).isEqualTo(expected.unit());
            assertThat(Laws.bits(far.values())).isEqualTo(Laws.bits(expected.values()));
        });
    }

    @Test
    void ofLongVectorsAndManyVotesAreThoseOfOnePairAtATime() {
        Laws.check(3, seed -> {
            Randomness random = seed.random();
            double[][] x = new double[65 + random.nextInt(20)][];
            Arrays.setAll(x, i -> random.gaussians(2500));
            x[1] = x[0].clone();
            double[][] matrix = Distances.among(Round.of(x)).matrix();
            for (int i = 0; i < x.length; i++) {
                assertThat(matrix[i])
                        .isEqualTo(Distances.from(x[i], Round.of(x)).values());
                for (int j = 0; j < x.length; j++) {
                    double squares = 0;
                    for (int k = 0; k < x[i].length; k++) {
                        squares += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
                    }
                    assertThat(matrix[i][j]).isCloseTo(Math.sqrt(squares), within(1e-12 * Math.sqrt(squares)));
                }
            }
        });
    }

    @Test
    void ofEqualDistancesTheLowerIndexIsNearer() {
        assertThat(Distances.nearest(new double[] {2, 1, 2, 0, 2}, 3)).containsExactly(0, 1, 3);
    }
}
