package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.model.LabelUnit;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.ClassWeights;
import holdfast.preparation.Preparation;
import holdfast.preparation.PreparationSettings;
import holdfast.preparation.Scaling;
import holdfast.preparation.SourceWeights;
import holdfast.preparation.Storage;
import holdfast.preparation.TableRows;
import holdfast.preparation.WorkerWeights;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TravellingPreparationTest {
    private static final int SOURCES = 6;

    @Test
    void whatArrivesPreparesAsWhatWasSent() {
        Laws.check(12, seed -> {
            Randomness random = seed.random();
            TableColumn.Missing missing = TableColumn.Missing.values()[random.nextInt(3)];
            // Where the rows are, columns are called by their numbers. Nobody but source 0 has a text in column 0.
            List<TableColumn> columns = List.of(
                    new TableColumn("0", List.of("rare"), TableColumn.Missing.MEAN),
                    new TableColumn("1", List.of("x", "b", "y"), missing),
                    new TableColumn("2", List.of(), missing));
            int[] sources = new int[400];
            Arrays.setAll(sources, r -> random.nextInt(SOURCES));
            double[] heavy = new double[SOURCES];
            Arrays.setAll(heavy, s -> s == 3 ? 50 : 1);
            DatasetBuilder builder = new DatasetBuilder(3);
            for (int r = 0; r < 400; r++) {
                boolean hole = missing != TableColumn.Missing.FAIL && random.nextInt(5) == 0;
                builder.add(
                        new double[] {
                            sources[r] == 0 ? 0 : Double.NaN,
                            hole ? Double.NaN : random.nextInt(3),
                            Math.scalb(random.nextGaussian(), random.nextInt(5))
                        },
                        r % 2,
                        0,
                        1 + r % 3);
            }
            Dataset cells = builder.build(Piece.unnamed(3, "y", List.of("no", "yes")), DataSource.MEMORY);
            Table table = Table.of(columns, cells);
            boolean robust = random.nextInt(4) > 0;
            Preparation learnt = Preparation.learn(
                    new TableRows(
                            table,
                            IntStream.range(0, 400).toArray(),
                            robust
                                    ? IntStream.range(0, SOURCES)
                                            .mapToObj(Integer::toString)
                                            .toList()
                                    : List.of(),
                            robust ? sources : new int[0]),
                    new PreparationSettings(
                            Scaling.Kind.AUTO,
                            true,
                            LabelUnit.NONE,
                            ClassWeights.BALANCED,
                            SourceWeights.ROWS,
                            Storage.values()[random.nextInt(2)],
                            false,
                            new AcrossSources(robust ? 1 : 0)),
                    LongStream.range(1, SOURCES + 1).toArray(),
                    new WorkerWeights(
                            heavy,
                            robust ? heavy : new double[] {7},
                            IntStream.range(0, SOURCES).map(s -> robust ? s : 0).toArray()));
            assertThat(learnt.encoding().columns()).hasSize(robust ? 2 : 3);
            assertThat(learnt.weighting().sources()).isNotEmpty();
            TravellingPreparation arrived = Sparks.travelled(new TravellingPreparation(columns, learnt));
            Dataset all = learnt.apply(table);
            same(arrived.trainable(arrived.features(cells)), all);
            for (int s = 2; s < 4; s++) {
                same(arrived.shard(cells, s), learnt.weighting().ofWorker(all, s, cells::weight));
            }
        });
    }

    private static void same(Dataset prepared, Dataset expected) {
        assertThat(prepared.hasFloats()).isEqualTo(expected.hasFloats());
        for (int r = 0; r < expected.rows(); r++) {
            assertThat(Laws.bits(prepared.row(r))).isEqualTo(Laws.bits(expected.row(r)));
            assertThat(prepared.weight(r)).isEqualTo(expected.weight(r));
        }
    }
}
