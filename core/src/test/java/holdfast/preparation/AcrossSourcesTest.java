package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class AcrossSourcesTest {
    private static final double[] LIES = {
        0, -0.0, 1e308, -1e308, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };

    /** Whatever f of more than 2f sources say, the result is within the range of what the others say. */
    @Test
    void liarsMoveNothingBeyondTheHonest() {
        Laws.check(2000, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(5);
            int honest = f + 1 + random.nextInt(8);
            double[] truth = random.gaussians(honest);
            DoubleSummaryStatistics range = Arrays.stream(truth).summaryStatistics();
            double[] values = Arrays.copyOf(truth, honest + f);
            for (int i = honest; i < values.length; i++) {
                values[i] = random.nextInt(2) == 0
                        ? LIES[random.nextInt(LIES.length)]
                        : truth[random.nextInt(honest)] + 0.1 * random.nextGaussian();
            }
            double[] given = values.clone();
            AcrossSources across = new AcrossSources(f);
            for (ToDoubleFunction<double[]> combine : Arrays.<ToDoubleFunction<double[]>>asList(
                    across::median, across::mean, across::upper, across::most, across::least)) {
                assertThat(combine.applyAsDouble(values)).isBetween(range.getMin(), range.getMax());
            }
            assertThat(values).isEqualTo(given);
        });
    }

    /** With too few honest sources the bounds that can hold still do. */
    @Test
    void extremesAreBoundedOnTheirOwnSideAsSoonAsOneIsHonest() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(4);
            double[] values = random.gaussians(f + 1 + random.nextInt(f));
            double honest = Arrays.stream(values, f, values.length).max().orElseThrow();
            double least = Arrays.stream(values, f, values.length).min().orElseThrow();
            for (int i = 0; i < f; i++) {
                values[i] = random.nextInt(2) == 0 ? 1e300 : -1e300;
            }
            assertThat(new AcrossSources(f).most(values)).isLessThanOrEqualTo(honest);
            assertThat(new AcrossSources(f).least(values)).isGreaterThanOrEqualTo(least);
        });
    }

    @Test
    void eachIsWhatItsNameSays() {
        double[] values = {5, 1, 4, 2, 3, 6, 7, 8, 9, 100};
        assertThat(new AcrossSources(1).median(values)).isEqualTo(5.5);
        assertThat(new AcrossSources(1).most(values)).isEqualTo(9);
        assertThat(new AcrossSources(1).least(values)).isEqualTo(2);
        assertThat(new AcrossSources(1).mean(values)).isEqualTo(5.5);
        // Two of ten are a fifth, more than one liar; three liars are more than that.
        assertThat(new AcrossSources(1).upper(values)).isEqualTo(8);
        assertThat(new AcrossSources(3).upper(values)).isEqualTo(7);
        assertThat(new AcrossSources(2).median(1e308, Double.NaN, 1.2e308)).isEqualTo(1.1e308);
        assertThat(new AcrossSources(2).median()).isNaN();
        assertThat(new AcrossSources(2).mean(Double.NaN)).isNaN();
        assertThat(new AcrossSources(2).knows(2)).isFalse();
        assertThat(new AcrossSources(2).knows(3)).isTrue();
        assertThatThrownBy(() -> new AcrossSources(-1)).isInstanceOf(InputException.class);
    }

    @Test
    void oneTrustedSourceIsTakenAtItsWord() {
        Laws.check(200, seed -> {
            double value = seed.random().nextGaussian() * 1e300;
            assertThat(Laws.bits(new double[] {
                        AcrossSources.POOLED.median(value),
                        AcrossSources.POOLED.mean(value),
                        AcrossSources.POOLED.upper(value),
                        AcrossSources.POOLED.most(value),
                        AcrossSources.POOLED.least(value)
                    }))
                    .containsOnly(Double.doubleToRawLongBits(value));
        });
    }
}
