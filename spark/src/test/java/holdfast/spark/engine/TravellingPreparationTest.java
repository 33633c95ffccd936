package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.model.LabelUnit;
import holdfast.preparation.ClassWeights;
import holdfast.preparation.Preparation;
import holdfast.preparation.PreparationSettings;
import holdfast.preparation.Scaling;
import holdfast.preparation.Storage;
import holdfast.preparation.TableRows;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TravellingPreparationTest {
    @Test
    void whatArrivesPreparesAsWhatWasSent() {
        Laws.check(12, seed -> {
            Randomness random = seed.random();
            TableColumn.Missing missing = TableColumn.Missing.values()[random.nextInt(3)];
            // Where the rows are, columns are called by their numbers.
            List<TableColumn> columns = List.of(
                    new TableColumn("0", List.of("x", "b", "y"), missing), new TableColumn("1", List.of(), missing));
            DatasetBuilder builder = new DatasetBuilder(2);
            for (int r = 0; r < 400; r++) {
                boolean hole = missing != TableColumn.Missing.FAIL && random.nextInt(5) == 0;
                builder.add(
                        new double[] {hole ? Double.NaN : random.nextInt(3), random.nextGaussian()},
                        r % 2,
                        0,
                        1 + r % 3);
            }
            Dataset cells = builder.build(Piece.unnamed(2, "y", List.of("no", "yes")), DataSource.MEMORY);
            Table table = Table.of(columns, cells);
            Preparation learnt = Preparation.learn(
                    new TableRows(table, IntStream.range(0, 400).toArray()),
                    new PreparationSettings(
                            Scaling.Kind.AUTO,
                            true,
                            LabelUnit.NONE,
                            ClassWeights.BALANCED,
                            Storage.values()[random.nextInt(2)]));
            TravellingPreparation arrived = Sparks.travelled(new TravellingPreparation(columns, learnt));
            Dataset expected = learnt.apply(table);
            for (Dataset prepared : List.of(arrived.apply(cells), arrived.trainable(arrived.features(cells)))) {
                assertThat(prepared.hasFloats()).isEqualTo(expected.hasFloats());
                for (int r = 0; r < 400; r++) {
                    assertThat(Laws.bits(prepared.row(r))).isEqualTo(Laws.bits(expected.row(r)));
                    assertThat(prepared.weight(r)).isEqualTo(expected.weight(r));
                }
            }
        });
    }
}
