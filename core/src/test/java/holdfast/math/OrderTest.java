package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderTest {
    /** The library's sort of objects is stable too. */
    @Test
    void theOrderIsThatOfAStableSort() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int n = random.nextInt(random.nextInt(20) == 0 ? 3000 : 70);
            double[] special = {
                0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE
            };
            double[] values = IntStream.range(0, n)
                    .mapToDouble(i -> switch (random.nextInt(4)) {
                        case 0 -> special[random.nextInt(special.length)];
                        case 1 -> random.nextInt(5);
                        default -> random.nextGaussian();
                    })
                    .toArray();
            double[] given = values.clone();
            assertThat(Order.ascending(values))
                    .isEqualTo(IntStream.range(0, n)
                            .boxed()
                            .sorted(Comparator.comparingDouble(i -> values[i]))
                            .mapToInt(Integer::intValue)
                            .toArray());
            assertThat(values).isEqualTo(given);
        });
    }
}
