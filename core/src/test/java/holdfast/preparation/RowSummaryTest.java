package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowSummaryTest {
    private static final int SLICES = RowSummary.SLICES;

    private static Dataset rows(int n, int d, java.util.function.IntFunction<double[]> row, int sources) {
        DatasetBuilder builder = new DatasetBuilder(d);
        for (int r = 0; r < n; r++) {
            builder.add(row.apply(r), 0, r % Math.max(1, sources), 1);
        }
        return builder.build(
                new Schema(
                        IntStream.range(0, d).mapToObj(i -> "x" + i).toList(),
                        "y",
                        List.of("a", "b"),
                        IntStream.range(0, sources).mapToObj(s -> "s" + s).toList()),
                DataSource.MEMORY);
    }

    /** Every value is repeated so often that no slice has an edge within a value. */
    @Test
    void aSliceIsTheMeanOfItsShareOfTheSortedValues() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double[] values = random.gaussians(1 + random.nextInt(60));
            double[] sorted = Arrays.stream(values).sorted().toArray();
            double[] repeated = Arrays.stream(sorted)
                    .flatMap(v -> Arrays.stream(new double[SLICES]).map(zero -> v))
                    .toArray();
            double[] slices = RowSummary.slices(values);
            for (int k = 0; k < SLICES; k++) {
                double mean = Arrays.stream(repeated, k * values.length, (k + 1) * values.length)
                        .average()
                        .orElseThrow();
                assertThat(slices[k]).isCloseTo(mean, within(1e-12));
            }
            assertThat(Arrays.stream(slices).average().orElseThrow())
                    .isCloseTo(Arrays.stream(values).average().orElseThrow(), within(1e-12));
            assertThat(slices).isSorted();
        });
    }

    @Test
    void allRowsTogetherAreOneSource() {
        double[] values = holdfast.Seed.of(3).random().gaussians(777);
        Dataset rows = rows(values.length, 1, r -> new double[] {values[r]}, 0);
        RowSummary found =
                RowSummary.of(rows, Scaling.none(1), AcrossSources.POOLED).orElseThrow();
        assertThat(found.slices()[0]).containsExactly(RowSummary.slices(values));
        assertThat(found.lowest()[0]).isEqualTo(Arrays.stream(values).min().orElseThrow());
        assertThat(found.highest()[0]).isEqualTo(Arrays.stream(values).max().orElseThrow());
    }

    /** With nobody who may lie, sources of the same size have the slices of all rows, but for rows on an edge. */
    @Test
    void sourcesThatAreTrustedCountTogether() {
        Dataset rows = rows(8000, 1, r -> new double[] {(r * 7919) % 8000 + 100_000.0 * (r % 4)}, 4);
        double[] pooled = RowSummary.of(rows.withoutGroups(), Scaling.none(1), AcrossSources.POOLED)
                .orElseThrow()
                .slices()[0];
        double[] bySource = RowSummary.of(rows, Scaling.none(1), new AcrossSources(0))
                .orElseThrow()
                .slices()[0];
        for (int k = 0; k < SLICES; k++) {
            assertThat(bySource[k]).isCloseTo(pooled[k], within(1.0));
        }
    }

    @Test
    void manyRowsAreSampledButAllMakeTheRange() {
        int n = 60_000;
        int d = 200;
        Dataset rows = rows(
                n,
                d,
                r -> {
                    double[] x = new double[d];
                    // Every seventh row differs, as a day of the week may.
                    x[0] = r % 7 == 0 ? 1 : 0;
                    x[1] = r == 31_415 ? 1e9 : (r * 31L) % n / (double) n;
                    return x;
                },
                0);
        RowSummary found =
                RowSummary.of(rows, Scaling.none(d), AcrossSources.POOLED).orElseThrow();
        assertThat(found.highest()[1]).isEqualTo(1e9);
        assertThat(Arrays.stream(found.slices()[0]).average().orElseThrow()).isCloseTo(1 / 7.0, within(0.01));
        assertThat(found.slices()[1][10]).isCloseTo(0.525, within(0.01));
    }

    /** Bounds must not rest on a sample. */
    @Test
    void allRowsMakeTheSlicesIfNoneMayBeLeftOut() {
        int d = 200;
        Dataset rows = rows(
                12_000,
                d,
                r -> {
                    double[] x = new double[d];
                    x[0] = r % 7;
                    x[1] = r * 31L % 12_000;
                    return x;
                },
                5);
        double[] exact = IntStream.range(0, 12_000).mapToDouble(r -> r % 7).toArray();
        RowSummary all = RowSummary.ofAll(rows, Scaling.none(d));
        assertThat(all.slices()[0]).containsExactly(RowSummary.slices(exact));
        assertThat(all.slices()[1][0]).isCloseTo(299.5, within(1e-9));
        assertThat(RowSummary.of(rows.withoutGroups(), Scaling.none(d), AcrossSources.POOLED)
                        .orElseThrow()
                        .slices()[1][0])
                .isNotCloseTo(299.5, within(1e-9));
    }

    @Test
    void hugeValuesGiveFiniteSlices() {
        Dataset rows = rows(300, 1, r -> new double[] {r % 2 == 0 ? 1.7e308 : -1.7e308}, 3);
        RowSummary found = RowSummary.of(
                        rows, new Scaling(Scaling.Kind.SD, new double[1], new double[] {1e-9}), new AcrossSources(1))
                .orElseThrow();
        assertThat(found.slices()[0]).doesNotContain(Double.NaN).isSorted();
    }

    @Test
    void rowsOfVeryManyFeaturesHaveNoSummary() {
        int d = RowSummary.MAX_FEATURES + 1;
        assertThat(RowSummary.of(rows(2, d, r -> new double[d], 0), Scaling.none(d), AcrossSources.POOLED))
                .isEmpty();
    }

    @Test
    void whatIsNoSummaryIsRefused() {
        double[][] slices = {new double[SLICES]};
        assertThatThrownBy(() -> new RowSummary(new double[] {Double.NaN}, new double[1], slices))
                .hasMessageContaining("feature 1");
        assertThatThrownBy(() -> new RowSummary(new double[] {1}, new double[1], slices))
                .hasMessageContaining("feature 1");
        assertThatThrownBy(() -> new RowSummary(new double[2], new double[2], slices))
                .hasMessageContaining("got 2, 2 and 1");
        slices[0][3] = 1;
        assertThatThrownBy(() -> new RowSummary(new double[1], new double[1], slices))
                .hasMessageContaining("ascending");
    }
}
