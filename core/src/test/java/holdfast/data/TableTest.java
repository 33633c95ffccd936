package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Schema SCHEMA = new Schema(List.of("age", "colour"), "y", List.of("0", "1"), List.of());

    private static Dataset cells() {
        return new DatasetBuilder(2)
                .add(new double[] {1, 0}, 0)
                .add(new double[] {Double.NaN, 1}, 1)
                .build(SCHEMA, DataSource.MEMORY);
    }

    @Test
    void theMaskSaysWhichCellsAreMissing() {
        Table table = Table.of(
                List.of(
                        new TableColumn("age", List.of(), TableColumn.Missing.MEAN),
                        new TableColumn("colour", List.of("red", "blue"), TableColumn.Missing.FAIL)),
                cells());
        assertThat(table.isMissing(0, 0)).isFalse();
        assertThat(table.isMissing(1, 0)).isTrue();
        assertThat(table.isMissing(1, 1)).isFalse();
        assertThat(table.isNumbers()).isFalse();
        assertThat(table.columns()).extracting(TableColumn::isText).containsExactly(false, true);
    }

    @Test
    void aTableOfNumbersIsItsDataset() {
        Dataset numbers =
                new DatasetBuilder(2).add(new double[] {1, 2}, 0).build(SCHEMA.withoutGroups(), DataSource.MEMORY);
        for (Table table : List.of(Table.of(numbers), Table.of(Table.of(numbers).columns(), numbers))) {
            assertThat(table.isNumbers()).isTrue();
            assertThat(table.cells()).isSameAs(numbers);
            assertThat(table.isMissing(0, 1)).isFalse();
            assertThat(table.columns()).containsExactly(TableColumn.number("age"), TableColumn.number("colour"));
        }
    }

    @Test
    void columnsAreThoseOfTheCells() {
        assertThatThrownBy(() -> Table.of(List.of(TableColumn.number("age")), cells()))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: a table must have one column per cell of a row, by the same names");
    }
}
