package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExactMeanTest {
    private static ExactMean of(double... values) {
        ExactMean mean = new ExactMean();
        for (double value : values) {
            mean.add(value);
        }
        return mean;
    }

    @Test
    void theSumIsRoundedOnceInWhateverOrderAndPartsNumbersAreAdded() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int range = 1 + random.nextInt(400);
            double[] values = random.gaussians(1 + random.nextInt(60));
            Arrays.setAll(values, i -> Math.scalb(values[i], random.nextInt(range) - range / 2));
            BigDecimal sum = BigDecimal.ZERO;
            for (double value : values) {
                sum = sum.add(new BigDecimal(value));
            }
            double expected = sum.doubleValue() / values.length;
            assertThat(of(values).value()).isEqualTo(expected);
            int[] order = new int[values.length];
            Arrays.setAll(order, i -> i);
            random.shuffle(order);
            int half = random.nextInt(values.length);
            ExactMean parts = new ExactMean();
            parts.addAll(
                    of(Arrays.stream(order, 0, half).mapToDouble(i -> values[i]).toArray()));
            parts.addAll(of(Arrays.stream(order, half, order.length)
                    .mapToDouble(i -> values[i])
                    .toArray()));
            assertThat(parts.value()).isEqualTo(expected);
        });
    }

    @Test
    void aTieIsDecidedByTheSmallestPart() {
        double tie = 0x1p53;
        assertThat(3 * of(tie, 1, 0).value()).isEqualTo(tie);
        assertThat(3 * of(0x1p-900, tie, 1).value()).isEqualTo(tie + 2);
        assertThat(3 * of(tie + 2, -0x1p-900, 1).value()).isEqualTo(tie + 2);
    }

    @Test
    void sumsDoNotOverflow() {
        double[] many = new double[1000];
        Arrays.fill(many, Double.MAX_VALUE);
        assertThat(of(many).value()).isEqualTo(Double.MAX_VALUE);
        assertThat(of().value()).isNaN();
    }
}
