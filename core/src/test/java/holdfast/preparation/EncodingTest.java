package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Store;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.preparation.Encoding.Column;
import holdfast.testkit.Laws;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EncodingTest {
    private static final Column AGE = new Column("age", List.of(), List.of(), false);
    private static final Column FILLED_AGE = new Column("age", List.of(), List.of(40.0), true);
    private static final Column COLOUR = new Column("colour", List.of("blue", "green", "red"), List.of(), false);
    private static final Column SHARED_COLOUR =
            new Column("colour", List.of("blue", "green", "red"), List.of(0.5, 0.25, 0.25), false);
    private static final Column MARKED_COLOUR =
            new Column("colour", List.of("blue", "green", "red"), List.of(0.0, 0.0, 0.0), true);

    private static Dataset encode(Encoding encoding, double[]... rows) {
        DatasetBuilder builder = encoding.builder();
        for (double[] cells : rows) {
            encoding.add(cells, 1, 0, 2, builder);
        }
        return builder.build(new Schema(encoding.features(), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
    }

    @Test
    void everyCategoryIsAFeature() {
        Dataset data = encode(new Encoding(List.of(COLOUR, AGE)), new double[] {2, 30}, new double[] {0, 0});
        assertThat(data.schema().features()).containsExactly("colour=blue", "colour=green", "colour=red", "age");
        assertThat(data.row(0)).containsExactly(0, 0, 1, 30);
        assertThat(data.row(1)).containsExactly(1, 0, 0, 0);
        assertThat(data.label(1)).isEqualTo(1);
        assertThat(data.weight(1)).isEqualTo(2);
        assertThat(COLOUR.category("green")).isEqualTo(1);
        assertThat(COLOUR.category("grey")).isNaN();
    }

    @Test
    void missingCellsAreFilledAndMarked() {
        double[] missing = {Double.NaN, Double.NaN};
        Dataset shares = encode(new Encoding(List.of(FILLED_AGE, SHARED_COLOUR)), missing, new double[] {30, 1});
        assertThat(shares.schema().features())
                .containsExactly("age", "age missing", "colour=blue", "colour=green", "colour=red");
        assertThat(shares.row(0)).containsExactly(40, 1, 0.5, 0.25, 0.25);
        assertThat(shares.row(1)).containsExactly(30, 0, 0, 1, 0);
        Dataset marks = encode(new Encoding(List.of(MARKED_COLOUR, FILLED_AGE)), missing, new double[] {2, 0});
        assertThat(marks.row(0)).containsExactly(0, 0, 0, 1, 40, 1);
        assertThat(marks.row(1)).containsExactly(0, 0, 1, 0, 0, 0);
        assertThatThrownBy(() -> encode(new Encoding(List.of(COLOUR)), new double[] {Double.NaN}))
                .isInstanceOf(InputException.class)
                .hasMessage("column colour: a value is missing");
    }

    private static Table table(TableColumn.Missing missing) {
        DatasetBuilder rows = new DatasetBuilder(2);
        double[][] cells = {{1, 0}, {3, 2}, {Double.NaN, 0}, {100, 1}, {5, Double.NaN}};
        for (int r = 0; r < cells.length; r++) {
            rows.add(cells[r], r % 2, r % 2, r == 3 ? 4 : 1);
        }
        return Table.of(
                List.of(
                        new TableColumn("age", List.of(), missing),
                        new TableColumn("colour", List.of("red", "green", "blue"), missing)),
                rows.build(
                        new Schema(List.of("age", "colour"), "y", List.of("0", "1"), List.of("a", "b")),
                        DataSource.MEMORY));
    }

    @Test
    void learnsFromTheRowsGivenAlone() {
        Table data = table(TableColumn.Missing.MEAN);
        Encoding encoding = Encoding.learn(data, new int[] {0, 1, 2});
        assertThat(encoding)
                .isEqualTo(new Encoding(List.of(
                        new Column("age", List.of(), List.of(2.0), false),
                        new Column("colour", List.of("blue", "red"), List.of(1 / 3.0, 2 / 3.0), false))));
        Dataset features = encoding.apply(data, new int[] {4, 3, 2});
        assertThat(features.schema().features()).containsExactly("age", "colour=blue", "colour=red");
        assertThat(features.row(0)).containsExactly(5, 1 / 3.0, 2 / 3.0);
        assertThat(features.row(1)).as("green counts as missing").containsExactly(100, 1 / 3.0, 2 / 3.0);
        assertThat(features.row(2)).containsExactly(2, 0, 1);
        assertThat(features.label(1)).isEqualTo(1);
        assertThat(features.group(1)).isEqualTo(1);
        assertThat(features.weight(1)).isEqualTo(4);
        assertThat(Encoding.learn(table(TableColumn.Missing.INDICATOR), new int[] {0, 1, 2}))
                .isEqualTo(new Encoding(List.of(
                        new Column("age", List.of(), List.of(2.0), true),
                        new Column("colour", List.of("blue", "red"), List.of(1 / 3.0, 2 / 3.0), false))));
        assertThat(Encoding.learn(table(TableColumn.Missing.INDICATOR), new int[] {0, 1, 4}))
                .as("a missing text has its mark alone")
                .isEqualTo(new Encoding(List.of(
                        new Column("age", List.of(), List.of(3.0), false),
                        new Column("colour", List.of("blue", "red"), List.of(0.0, 0.0), true))));
        assertThatThrownBy(() -> Encoding.learn(data, new int[] {2}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("column age is missing in all 1 training rows");
    }

    /** Cells that are elsewhere, for example in a mapped file. */
    private record Elsewhere(Dataset data) implements Store {
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
        public boolean weighted() {
            return true;
        }

        @Override
        public double weight(int row) {
            return data.weight(row);
        }
    }

    /** Also of -0, which no builder keeps, and of a value that no training row has. */
    @Test
    void cellsInAStoreBecomeTheSameBits() {
        double[][] cells = {{-0.0, 0}, {3, 2}, {Double.NaN, 1}, {-5, Double.NaN}};
        DatasetBuilder builder = new DatasetBuilder(2);
        for (int r = 0; r < cells.length; r++) {
            builder.add(cells[r], r % 2, 0, 1 + r);
        }
        Dataset heap = builder.build(
                new Schema(List.of("age", "colour"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
        assertThat(heap.row(0)[0]).as("the cell itself").isEqualTo(Double.valueOf(-0.0));
        Dataset stored = Dataset.of(heap.schema(), new Elsewhere(heap), null, heap.source());
        List<TableColumn> columns = List.of(
                new TableColumn("age", List.of(), TableColumn.Missing.INDICATOR),
                new TableColumn("colour", List.of("red", "green", "blue"), TableColumn.Missing.MEAN));
        Column age = new Column("age", List.of(), List.of(-0.0), true);
        Column colour = new Column("colour", List.of("blue", "red"), List.of(0.25, 0.75), false);
        Encoding encoding = new Encoding(List.of(age, colour));
        Dataset expected = encoding.apply(Table.of(columns, heap));
        Dataset made = encoding.apply(Table.of(columns, stored));
        double[][] rows = {{0, 0, 0, 1}, {3, 0, 1, 0}, {0, 1, 0.25, 0.75}, {-5, 0, 0.25, 0.75}};
        for (int r = 0; r < rows.length; r++) {
            assertThat(Laws.bits(expected.row(r))).isEqualTo(Laws.bits(rows[r]));
            assertThat(Laws.bits(made.row(r))).isEqualTo(Laws.bits(rows[r]));
            assertThat(made.weight(r)).isEqualTo(expected.weight(r));
        }
    }

    @Test
    void rowsThatAreFeaturesStayAsTheyAre() {
        Dataset data = encode(new Encoding(List.of(COLOUR, AGE)), new double[] {2, 30}, new double[] {0, 0});
        Encoding encoding = new Encoding(List.of(COLOUR, AGE));
        Table encoded = new EncodedTable(encoding, data);
        assertThat(Encoding.learn(encoded, new int[] {0})).isSameAs(encoding);
        assertThat(encoding.apply(encoded, new int[] {1}).row(0)).containsExactly(1, 0, 0, 0);
        Table numbers = Table.of(data);
        assertThat(Encoding.learn(numbers, new int[] {0})).isEqualTo(Encoding.NONE);
        assertThat(Encoding.NONE.apply(numbers, new int[] {1}).row(0)).containsExactly(1, 0, 0, 0);
        assertThat(Encoding.NONE.featuresOf(numbers, data.schema())).isSameAs(data);
        assertThatThrownBy(() -> TableColumn.Missing.parse("mode"))
                .hasMessage("--missing must be fail, mean, median or indicator, got 'mode'");
    }

    @Test
    void manyCategoriesAreStoredWithoutZeros() {
        for (int width : new int[] {256, 257}) {
            Column wide = new Column(
                    "id",
                    IntStream.range(1000, 1000 + width)
                            .mapToObj(Integer::toString)
                            .toList(),
                    List.of(),
                    false);
            assertThat(encode(new Encoding(List.of(wide)), new double[] {7}).sparse())
                    .isEqualTo(width > 256);
        }
        Encoding numbers = new Encoding(IntStream.range(0, 300)
                .mapToObj(i -> new Column("x" + i, List.of(), List.of(), false))
                .toList());
        assertThat(encode(numbers, new double[300]).sparse())
                .as("a quarter at most")
                .isFalse();
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> new Column("c", List.of("b", "a"), List.of(), false))
                .isInstanceOf(InputException.class)
                .hasMessage("column c: categories must ascend, got 'b' before 'a'");
        assertThatThrownBy(() -> new Column("c", List.of("a", "b"), List.of(1.0), false))
                .hasMessage("column c: there must be 2 values for a missing cell, got 1");
        assertThatThrownBy(() -> new Column("c", List.of(), List.of(), true))
                .hasMessage("column c: there must be 1 values for a missing cell, got 0");
        assertThatThrownBy(() -> new Column("c", List.of(), List.of(Double.NaN), true))
                .hasMessageContaining("must be finite");
        Dataset numbers = encode(new Encoding(List.of(AGE)), new double[] {1});
        assertThatThrownBy(() -> new EncodedTable(new Encoding(List.of(COLOUR)), numbers))
                .isInstanceOf(InputException.class)
                .hasMessage("the features must be those that the encoding makes");
    }
}
