package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SparseBlockTest {
    @Test
    void everyOperationHasTheBitsOfDenseRows() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(40);
            int d = 1 + random.nextInt(40);
            Block sparse = Samples.sparse(seed, rows, d, 4).blocks().get(0);
            Block dense = Samples.dense(seed, rows, d, 4).blocks().get(0);
            double[] moves = random.gaussians(rows);
            double[] theta = random.gaussians(d + 1);
            double[] numbers = random.gaussians(rows);
            int column = random.nextInt(d);
            expectSame(sparse, dense, UnaryOperator.identity(), random);
            expectSame(sparse, dense, b -> b.weighted(numbers), random);
            expectSame(sparse, dense, b -> b.relabelled(numbers), random);
            expectSame(sparse, dense, b -> b.with(j -> j % 2 == 0, column, 3), random);
            expectSame(sparse, dense, b -> b.with(j -> j % 2 == 0, column, 0), random);
            UnaryOperator<Block> move = b -> {
                double[] along = new double[rows];
                b.times(theta, along);
                return new MovedBlock(b, moves, theta, along);
            };
            expectSame(sparse, dense, move, random);
            expectSame(sparse, dense, b -> move.apply(b).weighted(numbers), random);
            expectSame(sparse, dense, b -> move.apply(b).with(j -> j % 2 == 0, column, 3), random);
            assertThat(sparse.sparse()).isTrue();
            assertThat(move.apply(sparse).sparse()).isTrue();
            assertThat(sparse.with(j -> true, column, 3).sparse()).isTrue();
            assertThat(move.apply(dense).sparse()).isFalse();
        });
    }

    private static void expectSame(Block sparse, Block dense, UnaryOperator<Block> change, Randomness random) {
        Block a = change.apply(sparse);
        Block b = change.apply(dense);
        int d = dense.columns();
        assertThat(a.columns()).isEqualTo(d);
        assertThat(a.labels()).isEqualTo(b.labels());
        assertThat(a.weights()).isEqualTo(b.weights());
        assertThat(Laws.bits(a.filled(""))).isEqualTo(Laws.bits(b.filled("")));
        double[] theta = random.gaussians(d + 1);
        assertThat(Laws.bits(times(a, theta))).isEqualTo(Laws.bits(times(b, theta)));
        double[] r = random.gaussians(dense.rows());
        double[] start = random.gaussians(d + 1);
        assertThat(Laws.bits(plusTransposed(a, r, start))).isEqualTo(Laws.bits(plusTransposed(b, r, start)));
        for (int j = 0; j < dense.rows(); j++) {
            double[] row = new double[d + 2];
            Arrays.fill(row, 9);
            a.copyRow(j, row, 1);
            assertThat(row[0] + row[d + 1]).as("what is beside the row").isEqualTo(18);
            double[] told = new double[d];
            int[] last = {-1};
            a.nonZeros(j, (i, x) -> {
                assertThat(i).isGreaterThan(last[0]);
                assertThat(x).isNotZero();
                last[0] = i;
                told[i] = x;
            });
            assertThat(told).isEqualTo(Arrays.copyOfRange(row, 1, d + 1));
        }
    }

    private static double[] times(Block block, double[] theta) {
        double[] out = new double[block.rows()];
        block.times(theta, out);
        return out;
    }

    private static double[] plusTransposed(Block block, double[] r, double[] start) {
        double[] into = start.clone();
        block.addTransposed(r, into);
        return into;
    }

    @Test
    void labelsAndWeightsMustBeOnePerRow() {
        Block block = Samples.sparse(Seed.of(1), 4, 3, 2).blocks().get(0);
        assertThatThrownBy(() -> block.weighted(new double[3]))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("4 labels and 3 weights for 4 rows");
        assertThatThrownBy(() -> block.relabelled(new double[5])).isInstanceOf(InputException.class);
    }

    @Test
    void tooManyZerosAreNotFilledIn() {
        DatasetBuilder builder = DatasetBuilder.sparse(1_000_000);
        for (int r = 0; r < 51; r++) {
            builder.add(new int[] {r}, new double[] {1}, 1, 0, 0, 1);
        }
        Block block = builder.build(Samples.schema(1_000_000), DataSource.MEMORY)
                .blocks()
                .get(0);
        assertThatThrownBy(() -> block.filled("use another"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "51 sparse rows of 1000000 columns would have to be stored with their zeros, more than 50000000"
                                + " values; use another");
    }
}
