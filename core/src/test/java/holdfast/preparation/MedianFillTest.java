package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.TableColumn;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MedianFillTest {
    private static final List<TableColumn> COLUMNS =
            List.of(new TableColumn("x", List.of(), TableColumn.Missing.MEDIAN));

    /** Computed from every value as often as its weight says. */
    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n == 0 ? Double.NaN : (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    }

    private static double fill(Dataset cells, AcrossSources across) {
        return Encoding.learn(cells.rows(IntStream.range(0, cells.rows()).toArray()), COLUMNS, false, across)
                .columns()
                .get(0)
                .fill()
                .get(0);
    }

    @Test
    void theFillIsTheMedianOfTheSourcesMediansWhateverFOfThemHold() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(3);
            int sources = 2 * f + 1 + random.nextInt(4);
            List<String> names =
                    IntStream.range(0, sources).mapToObj(s -> "S" + s).toList();
            DatasetBuilder rows = new DatasetBuilder(1);
            List<List<Double>> values = new ArrayList<>();
            names.forEach(name -> values.add(new ArrayList<>()));
            for (int r = 0; r < sources * 40; r++) {
                int source = r % sources;
                double x = source < f ? 1e9 * random.nextGaussian() : random.nextInt(30) + source / 10.0;
                int weight = 1 + random.nextInt(3);
                boolean missing = r >= sources && random.nextInt(5) == 0;
                rows.add(new double[] {missing ? Double.NaN : x}, 0, source, weight);
                for (int i = 0; !missing && i < weight; i++) {
                    values.get(source).add(x);
                }
            }
            Dataset cells = rows.build(new Schema(List.of("x"), "y", List.of("a", "b"), names), DataSource.MEMORY);
            double[] medians =
                    values.stream().mapToDouble(MedianFillTest::median).toArray();
            double fill = fill(cells, new AcrossSources(f));
            assertThat(fill).isCloseTo(median(Arrays.stream(medians).boxed().toList()), within(1e-9 * Math.abs(fill)));
            double[] honest = Arrays.copyOfRange(medians, f, sources);
            assertThat(fill)
                    .isBetween(
                            Arrays.stream(honest).min().orElseThrow(),
                            Arrays.stream(honest).max().orElseThrow());
            List<Double> pooled = new ArrayList<>();
            values.forEach(pooled::addAll);
            assertThat(fill(cells.withoutGroups(), AcrossSources.POOLED)).isEqualTo(median(pooled));
        });
    }

    /** Blocks are merged, zeros have signs, and columns are gathered in one pass or in several. */
    @Test
    void mediansDoNotDependOnHowManyColumnsAreGatheredAtOnce() {
        Laws.check(5, seed -> {
            Randomness random = seed.random();
            int n = 3000;
            int[] columns = {0, 2, 3};
            DatasetBuilder rows = new DatasetBuilder(4);
            List<List<Double>> values = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int r = 0; r < n; r++) {
                double[] cells = {
                    random.nextGaussian(),
                    random.nextGaussian(),
                    random.nextInt(9) - 4,
                    random.nextInt(3) == 0 ? -0.0 : 0.0
                };
                int weight = 1 + random.nextInt(2);
                for (int i = 0; i < columns.length; i++) {
                    int c = columns[i];
                    cells[c] = random.nextInt(6) == 0 ? Double.NaN : cells[c];
                    for (int w = 0; w < weight && !Double.isNaN(cells[c]); w++) {
                        values.get(i).add(cells[c]);
                    }
                }
                rows.add(cells, 0, 0, weight);
            }
            Dataset cells =
                    rows.build(new Schema(List.of("a", "b", "c", "d"), "y", List.of(), List.of()), DataSource.MEMORY);
            for (int atOnce = 1; atOnce <= 3; atOnce++) {
                List<double[]> medians = CellMedians.bySource(cells, columns, 4, atOnce);
                assertThat(medians).hasSize(1);
                assertThat(medians.get(0)[1]).isNaN();
                for (int i = 0; i < columns.length; i++) {
                    assertThat(medians.get(0)[columns[i]] + 0.0).isEqualTo(median(values.get(i)) + 0.0);
                }
            }
        });
    }
}
