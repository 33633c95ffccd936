package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.Laws;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class VectorsTest {

    @Test
    void theDotProductIsWithinItsErrorBoundOfTheExactOne() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int n = random.nextInt(70);
            double[] a = random.gaussians(n + 3);
            double[] b = random.gaussians(n + 5);
            BigDecimal exact = BigDecimal.ZERO;
            double size = 0;
            for (int i = 0; i < n; i++) {
                exact = exact.add(new BigDecimal(a[3 + i]).multiply(new BigDecimal(b[5 + i])));
                size += Math.abs(a[3 + i] * b[5 + i]);
            }
            // n/8 additions in a lane, three to join the lanes, one multiplication; 2^-53 each.
            double bound = (n / 8 + 5) * 0x1p-53 * size;
            assertThat(Vectors.dot(a, 3, b, 5, n)).isCloseTo(exact.doubleValue(), within(bound + 0x1p-52 * size));
        });
    }

    @Test
    void squaredDistancesAreTheDifferencesDotProductsWithThemselvesToTheBit() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int from = random.nextInt(5);
            int n = random.nextInt(40);
            double[] a = random.gaussians(from + n + 3);
            double[][] others = new double[1 + random.nextInt(10)][];
            Arrays.setAll(others, j -> random.gaussians(from + n + 1));
            double[] squares = new double[others.length];
            Kernels.CHOSEN.squaredDistances(a, others, 0, others.length, from, from + n, squares, 0);
            for (int j = 0; j < others.length; j++) {
                double[] b = others[j];
                double[] difference = new double[n];
                Arrays.setAll(difference, i -> a[from + i] - b[from + i]);
                assertThat(squares[j]).isEqualTo(Vectors.dot(difference, difference, n));
            }
        });
    }

    @Test
    void everyElementBelongsToItsLane() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int n = random.nextInt(40);
            double[] a = random.gaussians(n);
            double[] b = random.gaussians(n);
            double[] products = new double[n];
            Arrays.setAll(products, i -> a[i] * b[i]);
            double[] lanes = new double[8];
            for (int i = 0; i < n; i++) {
                lanes[i % 8] += products[i];
            }
            double expected =
                    ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
            assertThat(Vectors.dot(a, b, n)).isEqualTo(expected);
            assertThat(Vectors.sum(products, n)).isEqualTo(expected);
        });
    }

    @Test
    void theBitsOfTheDotProductStayAsTheyAre() {
        // Frozen: models trained before must come out the same to the bit.
        Randomness random = Seed.of(42).random();
        assertThat(Double.doubleToLongBits(Vectors.dot(random.gaussians(57), random.gaussians(57), 57)))
                .isEqualTo(4621180574320502494L);
        assertThat(Double.doubleToLongBits(Vectors.dot(random.gaussians(1000), random.gaussians(1000), 1000)))
                .isEqualTo(4632282738799594772L);
    }

    @Test
    void theNormNeitherOverflowsNorUnderflows() {
        for (double scale : new double[] {1e-310, 1e-200, 1e-140, 1, 1e140, 1e200, 3e307}) {
            assertThat(Vectors.norm(new double[] {3 * scale, 0, -4 * scale}))
                    .isCloseTo(5 * scale, within(5 * scale * 1e-15 + Double.MIN_VALUE));
        }
        assertThat(Vectors.norm(new double[] {1e308})).isEqualTo(1e308);
        assertThat(Vectors.norm(new double[] {Double.MIN_VALUE})).isEqualTo(Double.MIN_VALUE);
        assertThat(Vectors.norm(new double[] {1e308, 1e-308})).isEqualTo(1e308);
        assertThat(Vectors.norm(new double[5])).isZero();
        assertThat(Vectors.norm(new double[0])).isZero();
        assertThat(Vectors.norm(new double[] {3, 4, 100}, 2)).isEqualTo(5);
    }

    @Test
    void sumsScalesAndLargestElements() {
        double[] target = {1, 2, 3};
        Vectors.addScaled(target, 2, new double[] {1, 1, 1}, 2);
        assertThat(target).containsExactly(3, 4, 3);
        assertThat(Vectors.add(target, new double[] {1, 1, 1})).isSameAs(target).containsExactly(4, 5, 4);
        assertThat(Vectors.scaled(-2, target)).containsExactly(-8, -10, -8);
        assertThat(Vectors.maxAbs(new double[] {1, -7, 9}, 2)).isEqualTo(7);
        assertThat(Vectors.finite(new double[] {1, Double.NaN})).isFalse();
        assertThat(Vectors.finite(new double[] {Double.NEGATIVE_INFINITY})).isFalse();
        assertThat(Vectors.finite(new double[] {Double.MAX_VALUE, 0})).isTrue();
    }
}
