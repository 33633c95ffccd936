package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Laws;
import holdfast.Samples;
import holdfast.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalingTest {
    private static double[] column(Dataset data, int column) {
        return IntStream.range(0, data.rows())
                .mapToDouble(r -> data.row(r)[column])
                .toArray();
    }

    @Test
    void offsetsAndDivisorsAreTheirFormulas() {
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 1 + seed.random().nextInt(700), 3);
            for (int c = 0; c < 3; c++) {
                double[] x = column(data, c);
                var summary = Arrays.stream(x).summaryStatistics();
                double mean = summary.getAverage();
                double sd = Math.sqrt(Arrays.stream(x)
                        .map(v -> (v - mean) * (v - mean))
                        .average()
                        .orElseThrow());
                double spread = summary.getMax() - summary.getMin();
                expect(Scaling.fit(Scaling.Kind.NONE, data), c, 0, 1);
                expect(Scaling.fit(Scaling.Kind.SD, data), c, 0, sd == 0 ? 1 : sd);
                expect(Scaling.fit(Scaling.Kind.STANDARDISE, data), c, mean, sd == 0 ? 1 : sd);
                expect(Scaling.fit(Scaling.Kind.MIN_MAX, data), c, summary.getMin(), spread == 0 ? 1 : spread);
            }
        });
    }

    private static void expect(Scaling scaling, int column, double offset, double divisor) {
        assertThat(scaling.offsets()[column]).isCloseTo(offset, within(1e-13));
        assertThat(scaling.divisors()[column]).isCloseTo(divisor, within(1e-13));
    }

    @ParameterizedTest
    @EnumSource(Scaling.Kind.class)
    void appliesWhatWasFittedToOtherRows(Scaling.Kind kind) {
        Dataset training = Samples.dataset(Seed.of(1), 300, 3);
        Dataset other = Samples.dataset(Seed.of(2), 300, 3);
        Scaling scaling = Scaling.fit(kind, training);
        Dataset scaled = scaling.apply(other);
        for (int r = 0; r < 300; r++) {
            for (int c = 0; c < 3; c++) {
                assertThat(scaled.row(r)[c])
                        .isEqualTo((other.row(r)[c] - scaling.offsets()[c]) / scaling.divisors()[c]);
            }
            assertThat(scaled.label(r)).isEqualTo(other.label(r));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, -1e9, 1e-300})
    void aConstantColumnStaysFinite(double value) {
        Dataset.Builder builder = new Dataset.Builder(1);
        for (int r = 0; r < 700; r++) {
            builder.add(new double[] {value}, r % 2);
        }
        Dataset data =
                builder.build(new Dataset.Schema(List.of("x"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
        for (Scaling.Kind kind : Scaling.Kind.values()) {
            assertThat(Scaling.fit(kind, data).divisors()).as(kind.toString()).containsExactly(1);
        }
        assertThat(Scaling.fit(Scaling.Kind.STANDARDISE, data).apply(data).row(5)[0])
                .isCloseTo(0, within(1e-12 * Math.abs(value)));
    }

    @Test
    void otherColumnsOrNumbersThatAreNoneAreRefused() {
        Scaling scaling = Scaling.fit(Scaling.Kind.SD, Samples.dataset(Seed.of(1), 10, 3));
        assertThatThrownBy(() -> scaling.apply(Samples.dataset(Seed.of(1), 10, 2)))
                .isInstanceOf(InputException.class)
                .hasMessage("data must have 3 feature columns, got 2");
        for (double divisor : new double[] {Double.NaN, Double.POSITIVE_INFINITY, 0}) {
            assertThatThrownBy(() -> new Scaling(Scaling.Kind.SD, new double[1], new double[] {divisor}))
                    .isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> Scaling.Kind.parse("log"))
                .hasMessage("scale must be one of none, sd, standardise, min-max; got 'log'");
    }
}
