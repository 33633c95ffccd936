package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

class MeanTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Mean();
    }

    @Override
    protected boolean translates() {
        return true;
    }

    @Test
    void isTheMeanInDecimalArithmetic() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int m = 1 + random.nextInt(30);
            double scale = new double[] {1, 1e307, 1e-300}[random.nextInt(3)];
            double[][] vectors = new double[m][1];
            BigDecimal sum = BigDecimal.ZERO;
            for (double[] v : vectors) {
                v[0] = scale * (random.nextDouble() + 1);
                sum = sum.add(new BigDecimal(v[0]));
            }
            double mean =
                    sum.divide(BigDecimal.valueOf(m), MathContext.DECIMAL64).doubleValue();
            assertThat(new Mean().aggregate(Round.of(vectors)).direction()[0]).isCloseTo(mean, within(1e-14 * mean));
        });
    }

    @Test
    void oneLiarDecidesIt() {
        assertThat(new Mean()
                        .aggregate(Round.of(new double[] {1}, new double[] {1}, new double[] {-1e9}))
                        .direction()[0])
                .isLessThan(-1e8);
        assertThat(new Mean().tolerated()).isZero();
    }
}
