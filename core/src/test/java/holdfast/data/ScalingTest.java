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

    @Test
    void sparseRowsAreScaledLikeDenseOnesAndStaySparse() {
        Laws.check(20, seed -> {
            int rows = 1 + seed.random().nextInt(700);
            int d = 1 + seed.random().nextInt(20);
            Dataset sparse = positive(Samples.sparse(seed, rows, d, 3));
            Dataset dense = positive(Samples.dense(seed, rows, d, 3));
            for (Scaling.Kind kind :
                    List.of(Scaling.Kind.NONE, Scaling.Kind.SD, Scaling.Kind.MIN_MAX, Scaling.Kind.MAX_ABS)) {
                Scaling fitted = Scaling.fit(kind, sparse);
                Scaling expected = Scaling.fit(kind, dense);
                assertThat(fitted.kind()).isEqualTo(kind);
                assertThat(fitted.offsets()).isEqualTo(expected.offsets());
                assertThat(fitted.divisors()).containsExactly(expected.divisors(), within(1e-13));
                Dataset scaled = fitted.apply(sparse);
                assertThat(scaled.sparse()).isTrue();
                Dataset alike = fitted.apply(dense);
                for (int r = 0; r < rows; r++) {
                    assertThat(scaled.row(r)).isEqualTo(alike.row(r));
                    assertThat(scaled.label(r)).isEqualTo(sparse.label(r));
                }
            }
        });
    }

    /** Absolute values, and the last row all zeros, so that no column's least value is above 0. */
    private static Dataset positive(Dataset data) {
        Dataset.Builder builder =
                data.sparse() ? Dataset.Builder.sparse(data.columns()) : new Dataset.Builder(data.columns());
        for (int r = 0; r < data.rows(); r++) {
            boolean last = r == data.rows() - 1;
            builder.add(
                    Arrays.stream(data.row(r)).map(x -> last ? 0 : Math.abs(x)).toArray(), data.label(r));
        }
        return builder.build(Samples.schema(data.columns()), DataSource.MEMORY);
    }

    @Test
    void maxAbsDividesByTheLargestValueOfEitherSign() {
        Dataset.Builder builder = new Dataset.Builder(2);
        builder.add(new double[] {-4, 0}, 0).add(new double[] {2, 0}, 1);
        Dataset data = builder.build(Samples.schema(2), DataSource.MEMORY);
        Scaling fitted = Scaling.fit(Scaling.Kind.MAX_ABS, data);
        assertThat(fitted.divisors()).containsExactly(4, 1);
        assertThat(fitted.apply(data).row(0)).containsExactly(-1, 0);
    }

    @Test
    void autoCentresDenseRowsAndLeavesTheZerosOfSparseOnes() {
        assertThat(Scaling.fit(Scaling.Kind.AUTO, Samples.dense(Seed.of(1), 50, 4, 2))
                        .kind())
                .isEqualTo(Scaling.Kind.STANDARDISE);
        assertThat(Scaling.fit(Scaling.Kind.AUTO, Samples.sparse(Seed.of(1), 50, 4, 2))
                        .kind())
                .isEqualTo(Scaling.Kind.MAX_ABS);
        assertThatThrownBy(() -> new Scaling(Scaling.Kind.AUTO, new double[1], new double[] {1}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("must not be auto");
    }

    @Test
    void whatWouldFillSparseRowsIsRefused() {
        Dataset data = Samples.sparse(Seed.of(1), 50, 4, 2);
        assertThatThrownBy(() -> Scaling.fit(Scaling.Kind.STANDARDISE, data))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: scale standardise would fill sparse rows; use scale max-abs or sd");
        assertThatThrownBy(() -> Scaling.fit(Scaling.Kind.MIN_MAX, data))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("memory: scale min-max would fill sparse rows: the least value of column x0 is -.*"
                        + " instead of 0; use scale max-abs or sd");
        Scaling centring = Scaling.fit(Scaling.Kind.STANDARDISE, Samples.dense(Seed.of(1), 50, 4, 2));
        assertThatThrownBy(() -> centring.apply(data))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("memory: rows are sparse, but the scaling (standardise) subtracts offsets");
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
            double expected = kind == Scaling.Kind.MAX_ABS && value != 0 ? Math.abs(value) : 1;
            assertThat(Scaling.fit(kind, data).divisors()).as(kind.toString()).containsExactly(expected);
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
                .hasMessage("scale must be one of auto, none, sd, standardise, min-max, max-abs; got 'log'");
    }
}
