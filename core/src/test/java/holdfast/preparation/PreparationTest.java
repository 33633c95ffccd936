package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Partition;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.model.LabelUnit;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PreparationTest {
    private static Table table(Seed seed, TableColumn.Missing missing) {
        Randomness random = seed.random();
        DatasetBuilder rows = new DatasetBuilder(3);
        boolean holes = missing != TableColumn.Missing.FAIL;
        for (int r = 0; r < 20 + random.nextInt(600); r++) {
            double[] cells = {random.nextGaussian(), random.nextInt(4), 1e3 * random.nextGaussian()};
            int hole = random.nextInt(9);
            if (holes && hole < 3 && r > 3) {
                cells[hole] = Double.NaN;
            }
            rows.add(cells, r % 2, r % 3, 1 + random.nextInt(3));
        }
        return Table.of(
                List.of(
                        new TableColumn("a", List.of(), missing),
                        new TableColumn("word", List.of("x", "b", "y", "a"), missing),
                        new TableColumn("c", List.of(), missing)),
                rows.build(
                        new Schema(List.of("a", "word", "c"), "y", List.of("no", "yes"), List.of("p", "q", "r")),
                        DataSource.MEMORY));
    }

    private static Preparation learn(Table table, int[] rows, Storage storage) {
        return Preparation.learn(
                new TableRows(table, rows, List.of(), new int[0]),
                new PreparationSettings(
                        Scaling.Kind.AUTO,
                        true,
                        LabelUnit.NONE,
                        ClassWeights.of(1, 2.5),
                        SourceWeights.EQUAL,
                        storage,
                        true,
                        AcrossSources.POOLED),
                new long[0],
                WorkerWeights.NONE);
    }

    private static void expectSame(Dataset a, Dataset b) {
        assertThat(a.schema().features()).isEqualTo(b.schema().features());
        for (int r = 0; r < a.rows(); r++) {
            assertThat(Laws.bits(a.row(r))).isEqualTo(Laws.bits(b.row(r)));
            assertThat(a.label(r)).isEqualTo(b.label(r));
            assertThat(a.weight(r)).isEqualTo(b.weight(r));
        }
    }

    /** So rows can be prepared wherever they are, piece by piece. */
    @Test
    void everyRowIsPreparedAloneAsAmongOthers() {
        Laws.check(20, seed -> {
            TableColumn.Missing missing =
                    TableColumn.Missing.values()[seed.random().nextInt(3)];
            Table table = table(seed.child("table"), missing);
            int[] all = IntStream.range(0, table.rows()).toArray();
            Storage storage = seed.random().nextInt(2) == 0 ? Storage.DOUBLE : Storage.FLOAT;
            Preparation preparation = learn(table, all, storage);
            Dataset together = preparation.apply(table);
            assertThat(together.hasFloats()).isEqualTo(storage == Storage.FLOAT);
            int[] some = seed.child("some").random().choose(1 + table.rows() / 3, table.rows());
            Table piece = Table.of(table.columns(), table.cells().select(some));
            expectSame(preparation.apply(piece), together.select(some));
        });
    }

    @Test
    void rowsHeldOutChangeNothingThatIsLearnt() {
        Table table = table(Seed.of(3), TableColumn.Missing.INDICATOR);
        int[] training =
                IntStream.range(0, table.rows()).filter(r -> r % 3 != 0).toArray();
        Preparation all = learn(table, training, Storage.DOUBLE);
        Preparation alone = learn(
                Table.of(table.columns(), table.cells().select(training)),
                IntStream.range(0, training.length).toArray(),
                Storage.DOUBLE);
        assertThat(alone.encoding()).isEqualTo(all.encoding());
        assertThat(Laws.bits(alone.scaling().offsets()))
                .isEqualTo(Laws.bits(all.scaling().offsets()));
        assertThat(Laws.bits(alone.scaling().divisors()))
                .isEqualTo(Laws.bits(all.scaling().divisors()));
    }

    @Test
    void everyRowHasOneRole() {
        Laws.check(30, seed -> {
            Dataset outline = table(seed, TableColumn.Missing.FAIL).cells().outline();
            int root = seed.random().nextInt(5);
            RowRoles roles = RowRoles.of(outline, HoldOut.share(0.3), root, rows -> Partition.iid(rows, 4, seed), seed);
            assertThat(roles.root()).hasSize(root);
            int[] used = IntStream.concat(
                            Arrays.stream(roles.heldOut()),
                            IntStream.concat(
                                    Arrays.stream(roles.root()).map(r -> roles.learning()[r]),
                                    roles.partition().rows().stream()
                                            .flatMapToInt(Arrays::stream)
                                            .map(r -> roles.learning()[roles.training()[r]])))
                    .sorted()
                    .toArray();
            assertThat(used).isEqualTo(IntStream.range(0, outline.rows()).toArray());
        });
    }

    @Test
    void settingsAreReadFromTheirText() {
        for (ClassWeights weights : List.of(ClassWeights.NONE, ClassWeights.BALANCED, ClassWeights.of(1, 2.5))) {
            assertThat(ClassWeights.parse(weights.toString())).isEqualTo(weights);
        }
        for (Storage storage : Storage.values()) {
            assertThat(PlanKey.STORAGE.parse(PlanKey.STORAGE.print(storage))).isEqualTo(storage);
        }
        assertThatThrownBy(() -> PlanKey.CLASS_WEIGHTS.parse("1,heavy"))
                .isInstanceOf(InputException.class)
                .hasMessage("--class-weights must be none, balanced or numbers like 1,2.5; got '1,heavy'");
        assertThatThrownBy(() -> ClassWeights.of(1, Double.NaN)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> PlanKey.STORAGE.parse("half"))
                .hasMessage("--storage must be one of double, float; got 'half'");
    }
}
