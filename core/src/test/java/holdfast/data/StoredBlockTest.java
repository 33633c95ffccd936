package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.plan.Plan;
import holdfast.preparation.Scaling;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoredBlockTest {
    /** The rows of a data set as if they were elsewhere. */
    private record Kept(Dataset data, boolean weighted) implements Store {
        @Override
        public int rows() {
            return data.rows();
        }

        @Override
        public int columns() {
            return data.columns();
        }

        @Override
        public void read(int row, double[] into, int offset) {
            System.arraycopy(data.row(row), 0, into, offset, columns());
        }

        @Override
        public double label(int row) {
            return data.label(row);
        }

        @Override
        public double weight(int row) {
            return data.weight(row);
        }
    }

    private static Dataset weighted(Dataset data, Seed seed) {
        Randomness random = seed.child("weights").random();
        return data.map(block -> {
            double[] weights = new double[block.rows()];
            for (int j = 0; j < weights.length; j++) {
                weights[j] = 0.5 + random.nextDouble();
            }
            return block.weighted(weights);
        });
    }

    private static Dataset stored(Dataset data) {
        return Dataset.of(
                data.schema(),
                new Kept(data, data.blocks().get(0).weights() != null),
                data.hasGroups()
                        ? IntStream.range(0, data.rows()).map(data::group).toArray()
                        : null,
                data.source());
    }

    @Test
    void everyViewHasTheBitsOfACopy() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int rows = 2 + random.nextInt(700);
            int columns = 2 + random.nextInt(9);
            Dataset plain = Samples.dataset(seed, rows, columns, random.nextInt(2) * 3);
            Dataset heap = random.nextInt(2) == 0 ? plain : weighted(plain, seed);
            int[] some = random.choose(1 + random.nextInt(rows), rows);
            int[] fewer = random.choose(1 + random.nextInt(some.length), some.length);
            double[] labels = random.gaussians(rows);
            UnaryOperator<Dataset> scaled =
                    d -> Scaling.fit(Scaling.Kind.STANDARDISE, d).apply(d);
            expectSame(heap, UnaryOperator.identity(), seed, true);
            expectSame(heap, d -> d.select(some), seed, true);
            expectSame(heap, d -> scaled.apply(d.select(some)).select(fewer), seed, true);
            expectSame(heap, d -> d.relabel(r -> labels[r]).select(some), seed, true);
            expectSame(heap, d -> weighted(scaled.apply(d), seed).select(some).select(fewer), seed, true);
            expectSame(heap, d -> scaled.apply(scaled.apply(d)), seed, true);
            expectSame(heap, d -> scaled.apply(d.inFloats(r -> r)), seed, false);
            expectSame(heap, d -> d.with(r -> r % 2 == 0, 1, 9).select(some), seed, false);
            expectSame(heap, d -> d.append(d), seed, false);
            expectSame(heap, d -> d.reweigh(r -> 1 + r).select(some), seed, true);
            expectSame(
                    heap, d -> scaled.apply(d.changed(some, (r, x) -> x[1] = r)).select(fewer), seed, false);
        });
    }

    @Test
    void rowsWiderThanTheBufferAreReadInParts() {
        for (int columns : new int[] {300, 5_000, 70_000}) {
            Seed seed = Seed.of(columns);
            expectSame(Samples.dataset(seed, 300_000 / columns + 3, columns), UnaryOperator.identity(), seed, true);
        }
    }

    @Test
    void trainingOnWideRowsHasTheSameBits() {
        for (int columns : new int[] {300, 3000}) {
            Dataset heap = weighted(Samples.dataset(Seed.of(3), 700, columns), Seed.of(4));
            Plan plan = Plan.of(Map.of("rounds", "3", "workers", "2", "learning-rate", "0.1"));
            assertThat(Laws.bits(Training.of(stored(heap), plan).run().model().theta()))
                    .isEqualTo(Laws.bits(Training.of(heap, plan).run().model().theta()));
        }
    }

    private static void expectSame(Dataset heap, UnaryOperator<Dataset> change, Seed seed, boolean view) {
        Dataset b = change.apply(heap);
        Dataset a = change.apply(stored(heap));
        assertThat(a.blocks()).hasSameSizeAs(b.blocks());
        assertThat(a.schema()).isEqualTo(b.schema());
        for (int r = 0; r < b.rows(); r++) {
            assertThat(a.group(r)).isEqualTo(b.group(r));
            assertThat(a.label(r)).isEqualTo(b.label(r));
            assertThat(a.weight(r)).isEqualTo(b.weight(r));
        }
        for (int i = 0; i < b.blocks().size(); i++) {
            Block mine = a.blocks().get(i);
            Block other = b.blocks().get(i);
            assertThat(mine instanceof StoredBlock).isEqualTo(view);
            assertThat(mine.labels()).isEqualTo(other.labels());
            assertThat(mine.weights()).isEqualTo(other.weights());
            assertThat(Laws.bits(mine.filled(""))).isEqualTo(Laws.bits(other.filled("")));
            Randomness random = seed.child("block", i).random();
            double[] theta = random.gaussians(mine.columns() + 1);
            double[] r = random.gaussians(mine.rows());
            assertThat(Laws.bits(times(mine, theta))).isEqualTo(Laws.bits(times(other, theta)));
            assertThat(Laws.bits(transposed(mine, r, theta))).isEqualTo(Laws.bits(transposed(other, r, theta)));
        }
    }

    private static double[] times(Block block, double[] theta) {
        double[] out = new double[block.rows()];
        block.times(theta, out);
        return out;
    }

    private static double[] transposed(Block block, double[] r, double[] start) {
        double[] into = start.clone();
        block.addTransposed(r, into);
        return into;
    }
}
