package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatasetTest {

    @Test
    void rowsMayBeToldTheirSources() {
        Dataset data = Samples.dataset(Seed.of(5), 600, 2);
        Dataset grouped = data.grouped(
                List.of("north", "south"),
                IntStream.range(0, 600).map(r -> r / 300).toArray());
        assertThat(grouped.schema().groups()).containsExactly("north", "south");
        assertThat(grouped.group(299)).isZero();
        assertThat(grouped.group(300)).isEqualTo(1);
        assertThat(grouped.schema().withoutGroups()).isEqualTo(data.schema());
        assertThat(grouped.blocks()).isEqualTo(data.blocks());
    }

    @Test
    void selectsRowsWithTheirLabelsSourcesAndWeights() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(1000);
            Dataset plain = Samples.dataset(seed, rows, 3, 4);
            Dataset data = plain.map(b -> b.weighted(seed.child("w").random().gaussians(b.rows())));
            int[] chosen = new int[1 + random.nextInt(1000)];
            for (int i = 0; i < chosen.length; i++) {
                chosen[i] = random.nextInt(rows);
            }
            Dataset part = data.select(chosen);
            assertThat(part.rows()).isEqualTo(chosen.length);
            for (int i = 0; i < chosen.length; i++) {
                assertThat(part.row(i)).isEqualTo(data.row(chosen[i]));
                assertThat(part.label(i)).isEqualTo(data.label(chosen[i]));
                assertThat(part.group(i)).isEqualTo(data.group(chosen[i]));
                assertThat(part.weight(i)).isEqualTo(data.weight(chosen[i]));
            }
        });
    }

    @Test
    void appendsRowsAfterItsOwn() {
        Dataset a = Samples.dataset(Seed.of(1), 300, 2, 3);
        Dataset b = Samples.dataset(Seed.of(2), 5, 2, 3);
        Dataset both = a.append(b);
        assertThat(both.rows()).isEqualTo(305);
        assertThat(both.row(299)).isEqualTo(a.row(299));
        assertThat(both.row(302)).isEqualTo(b.row(2));
        assertThat(both.group(302)).isEqualTo(2);
    }

    @Test
    void allBlocksButTheLastAreFull() {
        assertThat(Samples.dataset(Seed.of(1), 513, 2).blocks())
                .extracting(Block::rows)
                .containsExactly(256, 256, 1);
    }

    @Test
    void sparseRowsAreSelectedAppendedAndChangedLikeDenseOnesAndStaySparse() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(900);
            int d = 1 + random.nextInt(30);
            Dataset sparse = Samples.sparse(seed, rows, d, 3);
            Dataset dense = Samples.dense(seed, rows, d, 3);
            int[] chosen = new int[1 + random.nextInt(600)];
            for (int i = 0; i < chosen.length; i++) {
                chosen[i] = random.nextInt(rows);
            }
            int column = random.nextInt(d);
            expectSame(sparse, dense);
            expectSame(sparse.select(chosen), dense.select(chosen));
            expectSame(sparse.append(sparse.select(chosen)), dense.append(dense.select(chosen)));
            expectSame(sparse.append(dense), dense.append(sparse));
            expectSame(sparse.relabel(r -> r % 2), dense.relabel(r -> r % 2));
            for (double value : new double[] {5, 0}) {
                expectSame(sparse.with(r -> r % 3 > 0, column, value), dense.with(r -> r % 3 > 0, column, value));
            }
        });
    }

    private static void expectSame(Dataset sparse, Dataset dense) {
        assertThat(sparse.sparse()).isTrue();
        assertThat(dense.sparse()).isFalse();
        assertThat(sparse.rows()).isEqualTo(dense.rows());
        for (int r = 0; r < dense.rows(); r++) {
            assertThat(sparse.row(r)).isEqualTo(dense.row(r));
            assertThat(sparse.label(r)).isEqualTo(dense.label(r));
            assertThat(sparse.group(r)).isEqualTo(dense.group(r));
            assertThat(sparse.weight(r)).isEqualTo(dense.weight(r));
        }
    }

    @Test
    void newLabelsAndValuesGoToTheRowsTheyAreMeantFor() {
        Dataset data = Samples.dense(Seed.of(1), 600, 3, 1);
        Dataset changed = data.with(r -> r == 300, 1, 7).relabel(r -> r == 511 ? 9 : data.label(r));
        for (int r = 0; r < 600; r++) {
            assertThat(changed.row(r)[1]).isEqualTo(r == 300 ? 7 : data.row(r)[1]);
            assertThat(changed.label(r)).isEqualTo(r == 511 ? 9 : data.label(r));
        }
    }

    @Test
    void chosenRowsAreChangedInOrderAndOtherBlocksAreKept() {
        for (Dataset data : List.of(Samples.dense(Seed.of(1), 900, 3, 1), Samples.sparse(Seed.of(1), 900, 3, 1))) {
            List<Integer> met = new ArrayList<>();
            int[] chosen = {0, 255, 300, 899};
            Dataset changed = data.changed(chosen, (r, x) -> {
                assertThat(x).isEqualTo(data.row(r));
                met.add(r);
                x[2] = 7;
            });
            assertThat(met).containsExactly(0, 255, 300, 899);
            for (int r = 0; r < 900; r++) {
                double[] expected = data.row(r);
                expected[2] = met.contains(r) ? 7 : expected[2];
                assertThat(changed.row(r)).isEqualTo(expected);
                assertThat(changed.label(r)).isEqualTo(data.label(r));
                assertThat(changed.weight(r)).isEqualTo(data.weight(r));
                assertThat(changed.group(r)).isEqualTo(data.group(r));
            }
            assertThat(changed.blocks().get(2)).isSameAs(data.blocks().get(2));
            assertThat(changed.sparse()).isEqualTo(data.sparse());
            assertThat(data.reweigh(r -> r + 1).weight(300)).isEqualTo(301);
        }
    }

    /** Vectors as long as a row has columns, of which every block needs some, must not cost more than the rows do. */
    @Test
    void blocksTimesColumnsIsAtMostSixteenPerRow() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(1 << 4 + random.nextInt(17));
            int rows = 1 + random.nextInt(20_000);
            DatasetBuilder builder = DatasetBuilder.sparse(d);
            for (int r = 0; r < rows; r++) {
                builder.add(new int[] {r % d}, new double[] {r + 1}, 1, 0, 0, 1);
            }
            Dataset data = builder.build(Samples.schema(d), DataSource.MEMORY);
            assertThat((data.blocks().size() - 1L) * d).isLessThanOrEqualTo(16L * rows);
            assertThat(data.blockRows()).isGreaterThanOrEqualTo(256);
            assertThat(Integer.bitCount(data.blockRows())).isEqualTo(1);
            assertThat(data.blockRows()).isLessThanOrEqualTo(Math.max(256, d / 8));
            assertThat(data.rows()).isEqualTo(rows);
            for (int r = 0; r < rows; r += 1 + rows / 3) {
                int last = r;
                data.blocks().get(r / data.blockRows()).nonZeros(r % data.blockRows(), (i, x) -> {
                    assertThat(i).isEqualTo(last % d);
                    assertThat(x).isEqualTo(last + 1);
                });
            }
        });
        assertThat(Samples.sparse(Seed.of(1), 513, 4096, 2).blocks())
                .extracting(Block::rows)
                .containsExactly(256, 256, 1);
        assertThat(Samples.sparse(Seed.of(1), 513, 4097, 2).blocks())
                .extracting(Block::rows)
                .containsExactly(512, 1);
    }

    @ParameterizedTest
    @CsvSource({"3,1", "1,1", "0,5", "-1,2"})
    void theColumnsOfARowMustAscendAndBeThere(int first, int second) {
        for (DatasetBuilder builder : List.of(DatasetBuilder.sparse(5), new DatasetBuilder(5))) {
            assertThatThrownBy(() -> builder.add(new int[] {first, second}, new double[] {1, 2}, 2, 0, 0, 1))
                    .isInstanceOf(InputException.class)
                    .hasMessage("the columns of a row must ascend from 0 and be below 5, got [" + first + ", " + second
                            + "]");
        }
    }

    @Test
    void noRowsAreNoData() {
        assertThatThrownBy(() -> new DatasetBuilder(1)
                        .build(new Schema(List.of("x"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: no data rows");
        assertThatThrownBy(() -> new DatasetBuilder(0)).isInstanceOf(InputException.class);
    }

    @Test
    void blocksMultiplyAsTheirRowsSay() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(20);
            Block dense = Samples.block(seed, 1 + random.nextInt(30), d, false);
            expectProducts(dense, random.gaussians(d + 1), random);
            double[] theta = random.gaussians(d + 1);
            double[] along = new double[dense.rows()];
            dense.times(theta, along);
            double[] moves = random.gaussians(dense.rows());
            expectProducts(new MovedBlock(dense, moves, theta, along), theta, random);
            expectProducts(new MovedBlock(dense, moves, theta, along), random.gaussians(d + 1), random);
            expectProducts(new MovedBlock(dense, moves, theta, null), theta, random);
        });
    }

    private static void expectProducts(Block block, double[] theta, Randomness random) {
        int d = block.columns();
        double[] r = random.gaussians(block.rows());
        double[] times = new double[block.rows()];
        double[] transposed = new double[theta.length];
        double[] x = new double[d];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, x, 0);
            for (int i = 0; i < d; i++) {
                times[j] += x[i] * theta[i];
                transposed[i] += r[j] * x[i];
            }
        }
        double[] out = new double[block.rows()];
        block.times(theta, out);
        double[] into = new double[theta.length];
        block.addTransposed(r, into);
        double size = 1e-12 * (1 + d) * 10;
        assertThat(out).containsExactly(times, within(size));
        assertThat(into).containsExactly(transposed, within(size));
        assertThat(into[d]).as("the intercept's place").isZero();
    }

    @Test
    void movedRowsKeepTheirLabelsAndTakeWeights() {
        Block base = Samples.block(Seed.of(1), 4, 2, false);
        Block moved = new MovedBlock(base, new double[4], new double[2], null);
        double[] weights = {1, 2, 3, 4};
        double[] labels = {1, 1, 0, 0};
        assertThat(moved.labels()).isEqualTo(base.labels());
        assertThat(moved.weighted(weights).weights()).isEqualTo(weights);
        assertThat(moved.relabelled(labels).labels()).isEqualTo(labels);
    }

    @Test
    void blocksMakeADataSetIfTheyAreOfItsSize() {
        Dataset data = Samples.dataset(Seed.of(2), 600, 3);
        Dataset same = Dataset.of(data.schema(), data.blocks(), data.source());
        assertThat(same.rows()).isEqualTo(600);
        for (int r = 0; r < 600; r++) {
            assertThat(same.row(r)).isEqualTo(data.row(r));
            assertThat(same.label(r)).isEqualTo(data.label(r));
        }
        int last = data.blocks().size() - 1;
        List<Block> turned = List.of(data.blocks().get(last), data.blocks().get(0));
        assertThatThrownBy(() -> Dataset.of(data.schema(), turned, data.source()))
                .hasMessageContaining("a block must have " + new DatasetBuilder(3).blockRows() + " rows");
    }

    /** Slices of every kind of block, against the rows themselves. */
    @Test
    void slicesHaveTheRowsOfTheirBlock() {
        Laws.check(20, seed -> {
            int rows = 1 + seed.random().nextInt(200);
            Block dense = Samples.block(seed, rows, 4, true);
            Block sparse = Samples.sparse(seed, rows, 9, 2).blocks().get(0);
            Dataset doubles = Samples.dataset(seed, rows, 3);
            List<Block> kinds = List.of(
                    dense,
                    sparse,
                    doubles.inFloats(r -> r).blocks().get(0),
                    new MovedBlock(dense, seed.child("s").random().gaussians(rows), new double[] {1, 2, 0, 1}, null),
                    new MovedBlock(sparse, seed.child("s").random().gaussians(rows), new double[9], null));
            int count = 1 + seed.child("count").random().nextInt(60);
            for (Block block : kinds) {
                int done = 0;
                for (Block slice : block.slices(count)) {
                    assertThat(slice.sparse()).isEqualTo(block.sparse());
                    assertThat(slice.rows()).isEqualTo(Math.min(count, rows - done));
                    assertThat(slice.weights() == null).isEqualTo(block.weights() == null);
                    for (int j = 0; j < slice.rows(); j++, done++) {
                        double[] own = new double[block.columns()];
                        double[] same = new double[block.columns()];
                        block.copyRow(done, own, 0);
                        slice.copyRow(j, same, 0);
                        assertThat(same).isEqualTo(own);
                        assertThat(slice.label(j)).isEqualTo(block.label(done));
                        assertThat(slice.weight(j)).isEqualTo(block.weight(done));
                    }
                }
                assertThat(done).isEqualTo(rows);
            }
        });
    }
}
