package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                double constant = Double.POSITIVE_INFINITY;
                expect(Scaling.fit(Scaling.Kind.SD, data), c, 0, sd == 0 ? constant : sd);
                expect(Scaling.fit(Scaling.Kind.STANDARDISE, data), c, mean, sd == 0 ? constant : sd);
                expect(Scaling.fit(Scaling.Kind.MIN_MAX, data), c, summary.getMin(), spread == 0 ? constant : spread);
            }
        });
    }

    private static void expect(Scaling scaling, int column, double offset, double divisor) {
        assertThat(scaling.offsets()[column]).isCloseTo(offset, within(1e-13));
        assertThat(scaling.divisors()[column])
                .satisfiesAnyOf(
                        d -> assertThat(d).isEqualTo(divisor),
                        d -> assertThat(d).isCloseTo(divisor, within(1e-13)));
    }

    /** A column per line: a value that all rows share and the size of what varies around it. */
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1e16, 1e3",
        "-1e16, 400",
        "1.7e18, 1e15",
        "1.7e18, 5e4",
        "1e9, 1e-4",
        "0, 1e-170",
        "1e-170, 1e-172",
        "0, 1e-310",
        "0, 1e200",
        "1e307, 1e306",
        "-1.7e308, 1e300"
    })
    void columnsOfAnySizeAreCentredAndScaled(double shared, double size) {
        Laws.check(5, seed -> {
            Randomness random = seed.random();
            int rows = 300 + random.nextInt(1000);
            double[] x = random.gaussians(rows);
            Arrays.setAll(x, r -> shared + x[r] * size);
            for (Scaling.Kind kind : List.of(Scaling.Kind.STANDARDISE, Scaling.Kind.SD)) {
                Scaling fitted = Scaling.fit(kind, of(x));
                BigDecimal mean = mean(x, v -> v);
                double sd = mean(x, v -> v.subtract(mean).pow(2))
                        .sqrt(MathContext.DECIMAL64)
                        .doubleValue();
                assertThat(fitted.divisors()[0]).isCloseTo(sd, within(1e-9 * sd));
                if (kind == Scaling.Kind.STANDARDISE) {
                    double off = mean.subtract(new BigDecimal(fitted.offsets()[0]))
                            .abs()
                            .doubleValue();
                    assertThat(off).isLessThanOrEqualTo(1e-9 * sd + Math.ulp(mean.doubleValue()));
                    assertThat(Vectors.maxAbs(column(fitted.apply(of(x)), 0), rows))
                            .isLessThan(10);
                }
            }
        });
    }

    private static BigDecimal mean(double[] x, UnaryOperator<BigDecimal> term) {
        return Arrays.stream(x)
                .mapToObj(BigDecimal::new)
                .map(term)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .divide(BigDecimal.valueOf(x.length), new MathContext(700));
    }

    private static Dataset of(double... values) {
        DatasetBuilder builder = new DatasetBuilder(1);
        for (int r = 0; r < values.length; r++) {
            builder.add(new double[] {values[r]}, r % 2);
        }
        return builder.build(new Schema(List.of("x"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
    }

    @Test
    void whatOnlyRoundingTellsApartIsConstant() {
        double next = Math.nextUp(0.3);
        for (Scaling.Kind kind : List.of(Scaling.Kind.STANDARDISE, Scaling.Kind.MIN_MAX)) {
            assertThat(Scaling.fit(kind, of(0.3, next, 0.3, next)).constants()).containsExactly(0);
            assertThat(Scaling.fit(kind, of(0.3, 0.3 + 4 * Math.ulp(0.3), 0.3)).constants())
                    .containsExactly(0);
            assertThat(Scaling.fit(kind, of(0.3, 0.3 + 5 * Math.ulp(0.3), 0.3)).constants())
                    .isEmpty();
        }
    }

    @Test
    void valuesTooFarApartAreRefused() {
        assertThat(Scaling.fit(Scaling.Kind.MAX_ABS, of(-1.5e308, 1.5e308)).divisors())
                .containsExactly(1.5e308);
        assertThatThrownBy(() -> Scaling.fit(Scaling.Kind.STANDARDISE, of(-1.5e308, 1.5e308)))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: the values of column x are too far apart to be scaled: from -1.5E308 to 1.5E308");
    }

    @Test
    void aConstantColumnStaysWhereItMayStandForAnIntercept() {
        Dataset ones = of(-5, -5, -5);
        for (Scaling.Kind kind : List.of(Scaling.Kind.AUTO, Scaling.Kind.SD, Scaling.Kind.MAX_ABS)) {
            Scaling fitted = Scaling.fit(kind, ones, false, true, AcrossSources.POOLED);
            assertThat(fitted.apply(ones).row(1)).as(kind.toString()).containsExactly(-1);
            assertThat(fitted.constants()).isEmpty();
        }
        assertThat(Scaling.fit(Scaling.Kind.STANDARDISE, ones, false, true, AcrossSources.POOLED)
                        .constants())
                .containsExactly(0);
    }

    @Test
    void nobodyCanWriteIntoWhatWasFitted() {
        double[] given = {2};
        Scaling scaling = new Scaling(Scaling.Kind.SD, new double[1], given);
        given[0] = 7;
        scaling.divisors()[0] = 7;
        scaling.offsets()[0] = 7;
        assertThat(scaling.divisors()).containsExactly(2);
        assertThat(scaling.offsets()).containsExactly(0);
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
    void rowsOneAtATimeAreScaledLikeBlocksAndByTheFormula() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(40);
            double[] offsets = random.gaussians(d);
            double[] divisors = new double[d];
            Arrays.setAll(divisors, i -> random.nextInt(4) == 0 ? Double.POSITIVE_INFINITY : 1 + random.nextInt(9));
            double clip = random.nextInt(2) == 0 ? Double.POSITIVE_INFINITY : 0.5;
            double[] row = random.gaussians(d);
            int wild = random.nextInt(d);
            row[wild] = 1.7e308;
            offsets[wild] = -1.7e308;
            Scaling scaling = new Scaling(Scaling.Kind.STANDARDISE, offsets, divisors, clip);
            double[] expected = new double[d];
            Arrays.setAll(expected, i -> {
                double z = (row[i] - offsets[i]) / divisors[i];
                return divisors[i] == Double.POSITIVE_INFINITY ? 0 : z > clip ? clip : z < -clip ? -clip : z;
            });
            double[] before = row.clone();
            double[] shifted = new double[d + 3];
            scaling.rowScaler().scale(row, 0, shifted, 3);
            assertThat(Laws.bits(Arrays.copyOfRange(shifted, 3, d + 3))).isEqualTo(Laws.bits(expected));
            assertThat(row).isEqualTo(before);
            double[] block = new double[d];
            scaling.apply(new DenseBlock(d, row, new double[1], null)).copyRow(0, block, 0);
            assertThat(Laws.bits(block)).isEqualTo(Laws.bits(expected));
        });
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
        DatasetBuilder builder =
                data.sparse() ? DatasetBuilder.sparse(data.columns()) : new DatasetBuilder(data.columns());
        for (int r = 0; r < data.rows(); r++) {
            boolean last = r == data.rows() - 1;
            builder.add(
                    Arrays.stream(data.row(r)).map(x -> last ? 0 : Math.abs(x)).toArray(), data.label(r));
        }
        return builder.build(Samples.schema(data.columns()), DataSource.MEMORY);
    }

    @Test
    void maxAbsDividesByTheLargestValueOfEitherSign() {
        DatasetBuilder builder = new DatasetBuilder(2);
        builder.add(new double[] {-4, 0}, 0).add(new double[] {2, 0}, 1);
        Dataset data = builder.build(Samples.schema(2), DataSource.MEMORY);
        Scaling fitted = Scaling.fit(Scaling.Kind.MAX_ABS, data);
        assertThat(fitted.divisors()).containsExactly(4, Double.POSITIVE_INFINITY);
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
                .hasMessage("memory: --scale standardise would fill sparse rows; use --scale max-abs or --scale sd");
        assertThatThrownBy(() -> Scaling.fit(Scaling.Kind.MIN_MAX, data))
                .isInstanceOf(InputException.class)
                .hasMessageMatching(
                        "memory: --scale min-max would fill sparse rows: the least value of column x0 is -.*"
                                + " instead of 0; use --scale max-abs or --scale sd");
        Scaling centring = Scaling.fit(Scaling.Kind.STANDARDISE, Samples.dense(Seed.of(1), 50, 4, 2));
        assertThatThrownBy(() -> centring.apply(data))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("memory: rows are sparse, but the scaling (standardise) subtracts offsets");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, -1e9, 1e-300, 1e16})
    void aConstantColumnBecomesZeroWhateverLaterRowsHold(double value) {
        double[] values = new double[700];
        Arrays.fill(values, value);
        for (Scaling.Kind kind : Scaling.Kind.values()) {
            Scaling fitted = Scaling.fit(kind, of(values));
            assertThat(fitted.constants()).as(kind.toString()).hasSize(kind == Scaling.Kind.NONE ? 0 : 1);
            if (kind != Scaling.Kind.NONE) {
                assertThat(column(fitted.apply(of(value, 3, -1.7e308, 1.7e308)), 0))
                        .containsOnly(0);
            }
        }
    }

    @Test
    void otherColumnsOrNumbersThatAreNoneAreRefused() {
        Scaling scaling = Scaling.fit(Scaling.Kind.SD, Samples.dataset(Seed.of(1), 10, 3));
        assertThatThrownBy(() -> scaling.apply(Samples.dataset(Seed.of(1), 10, 2)))
                .isInstanceOf(InputException.class)
                .hasMessage("data must have 3 feature columns, got 2");
        for (double divisor : new double[] {Double.NaN, -1, 0}) {
            assertThatThrownBy(() -> new Scaling(Scaling.Kind.SD, new double[1], new double[] {divisor}))
                    .isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> Scaling.Kind.parse("log"))
                .hasMessage("--scale must be one of auto, none, sd, standardise, min-max, max-abs; got 'log'");
    }

    @Test
    void whereRowsAreDealtOnlyThoseOfClassesAreCutOff() {
        AcrossSources across = new AcrossSources(1);
        Dataset numbers = Samples.numbers(Seed.of(3), 300, 4, 6);
        Dataset classes = Samples.dataset(Seed.of(3), 300, 4, 6);
        assertThat(Scaling.fit(Scaling.Kind.STANDARDISE, numbers, true, true, across)
                        .clip())
                .isInfinite();
        assertThat(Scaling.fit(Scaling.Kind.STANDARDISE, numbers, true, false, across)
                        .clip())
                .isEqualTo(Scaling.CLIP);
        assertThat(Scaling.fit(Scaling.Kind.STANDARDISE, classes, true, true, across)
                        .clip())
                .isEqualTo(Scaling.CLIP);
    }
}
