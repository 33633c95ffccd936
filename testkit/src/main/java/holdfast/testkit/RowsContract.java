package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The laws of rows, wherever they are; the test of every engine's rows extends this. */
public abstract class RowsContract {
    private static final int COLUMNS = 3;

    /** Puts the rows in their places, runs a test on them and releases them. */
    protected abstract void with(Dataset data, Consumer<Rows> test);

    /** Makes random rows from sources of different sizes; their sums depend on the order of summation. */
    public static Dataset random(Seed seed, int rows, int sources) {
        Randomness random = seed.random();
        DatasetBuilder builder = new DatasetBuilder(COLUMNS);
        List<String> names = IntStream.range(0, sources).mapToObj(s -> "s" + s).toList();
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(COLUMNS);
            Arrays.setAll(x, i -> Math.scalb(x[i], random.nextInt(60)));
            int source = r < sources ? r : Math.min(random.nextInt(sources), random.nextInt(sources));
            builder.add(x, random.nextInt(2), sources == 0 ? 0 : source, 1 + random.nextInt(3));
        }
        return builder.build(new Schema(List.of("a", "b", "c"), "y", List.of("0", "1"), names), DataSource.MEMORY);
    }

    private static double[] sums(Block block) {
        double[] sums = new double[COLUMNS];
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, block::weight);
        block.addTransposed(weights, sums);
        return sums;
    }

    @Test
    public void oneValuePerSourceIsThatOfItsRowsAlone() {
        for (int[] shape : new int[][] {{1, 1}, {300, 1}, {700, 3}, {2000, 7}, {1500, 0}}) {
            Seed seed = Seed.of(5).child("rows", shape[0]);
            Dataset data = shape[1] == 0 ? random(seed, shape[0], 1).withoutGroups() : random(seed, shape[0], shape[1]);
            List<long[]> expected = new ArrayList<>();
            for (int[] rows : data.hasGroups() ? data.rowsBySource() : List.of(all(data))) {
                expected.add(Laws.bits(data.select(rows).reduce(RowsContract::sums, Vectors::add)));
            }
            with(data, rows -> {
                List<double[]> found = rows.reduceBySource(RowsContract::sums, Vectors::add);
                assertThat(found).as("%s", seed).hasSize(expected.size());
                for (int s = 0; s < found.size(); s++) {
                    assertThat(Laws.bits(found.get(s)))
                            .as("source %d, %s", s, seed)
                            .isEqualTo(expected.get(s));
                }
            });
        }
    }

    @Test
    public void aFoldTakesBlocksInTheOrderOfTheRows() {
        Dataset data = random(Seed.of(6), 3000, 4);
        double expected = 0;
        for (int r = 0; r < data.rows(); r++) {
            expected += data.row(r)[1];
        }
        double all = expected;
        with(
                data,
                rows -> assertThat(rows.fold(new double[1], (sum, block) -> {
                            double[] row = new double[COLUMNS];
                            for (int j = 0; j < block.rows(); j++) {
                                block.copyRow(j, row, 0);
                                sum[0] += row[1];
                            }
                            return sum;
                        }))
                        .containsExactly(all));
    }

    @Test
    public void aReductionIsThatOfTheDatasetToTheBit() {
        Dataset data = random(Seed.of(7), 2500, 2);
        long[] expected = Laws.bits(data.reduce(RowsContract::sums, Vectors::add));
        with(data, rows -> {
            assertThat(rows.count()).isEqualTo(data.rows());
            assertThat(rows.weighted()).isTrue();
            assertThat(rows.schema()).isEqualTo(data.schema());
            assertThat(Laws.bits(rows.reduce(RowsContract::sums, Vectors::add))).isEqualTo(expected);
        });
    }

    private static int[] all(Dataset data) {
        return IntStream.range(0, data.rows()).toArray();
    }
}
