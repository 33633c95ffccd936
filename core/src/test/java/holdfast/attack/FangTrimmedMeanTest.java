package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class FangTrimmedMeanTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new FangTrimmedMean();
    }

    /** Among a thousand coordinates some come near both ends, and their mean is near the middle. */
    @Test
    void theDrawsFillTheRangeUpToTwiceOrHalfTheExtreme() {
        double[] ones = filled(1);
        assertUniform(0.5, 1, List.of(ones, ones, ones));
        assertUniform(1, 2, List.of(filled(-3), ones, filled(-1)));
        assertUniform(-1, -0.5, List.of(filled(-1), filled(-3), filled(-2)));
        assertUniform(-2, -1, List.of(filled(3), filled(-1), ones));
    }

    private static double[] filled(double value) {
        double[] vector = new double[1000];
        Arrays.fill(vector, value);
        return vector;
    }

    private void assertUniform(double low, double high, List<double[]> honest) {
        double[] lie =
                attack().forge(withoutData(honest, 1, new Mean(), Seed.of(1))).get(0);
        DoubleSummaryStatistics drawn = Arrays.stream(lie).summaryStatistics();
        double near = (high - low) / 50;
        assertThat(drawn.getMin()).isBetween(low, low + near);
        assertThat(drawn.getMax()).isBetween(high - near, high);
        assertThat(drawn.getAverage()).isCloseTo((low + high) / 2, within(2 * near));
    }

    @Test
    void everyCoordinateIsJustBeyondTheExtremeOppositeToTheMean() {
        Laws.check(100, seed -> {
            AttackContext now = situation(seed, 1);
            List<double[]> forged = attack().forge(now);
            for (int i = 0; i < now.truth().theta().length; i++) {
                int c = i;
                double[] honest =
                        now.honest().stream().mapToDouble(v -> v.vector()[c]).toArray();
                double mean = Arrays.stream(honest).average().orElseThrow();
                double low = Arrays.stream(honest).min().orElseThrow();
                double high = Arrays.stream(honest).max().orElseThrow();
                for (double[] v : forged) {
                    if (mean > 0) {
                        assertThat(v[c]).isBetween(low > 0 ? low / 2 : 2 * low, low);
                    } else {
                        assertThat(v[c]).isBetween(high, high > 0 ? 2 * high : high / 2);
                    }
                }
            }
            if (forged.size() > 1) {
                assertThat(forged.get(0)).isNotEqualTo(forged.get(1));
            }
        });
    }
}
