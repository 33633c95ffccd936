package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Laws;
import holdfast.Randomness;
import holdfast.Samples;
import holdfast.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatasetTest {

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
                assertThat(weight(part, i)).isEqualTo(weight(data, chosen[i]));
            }
        });
    }

    private static double weight(Dataset data, int row) {
        return data.blocks().get(row / Dataset.BLOCK_ROWS).weights()[row % Dataset.BLOCK_ROWS];
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
    void noRowsAreNoData() {
        assertThatThrownBy(() -> new Dataset.Builder(1)
                        .build(new Dataset.Schema(List.of("x"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: no data rows");
        assertThatThrownBy(() -> new Dataset.Builder(0)).isInstanceOf(InputException.class);
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
}
