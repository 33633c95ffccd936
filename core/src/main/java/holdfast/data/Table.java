package holdfast.data;

import holdfast.Check;
import java.util.List;

/**
 * Rows as a file has them: typed columns of cells, some of which may be missing, and the label, source and weight of each row.
 * Nothing is learnt from them yet; what features the cells make is learnt from training rows alone.
 *
 * <p>Cells are kept as the numbers of a {@link Dataset}, on the heap or in a {@link Store}: a column of text holds the places of
 * its values among {@link TableColumn#categories}, and NaN stands where a cell is missing. A table of numbers of which none is
 * missing is its data set and costs nothing besides.
 */
public class Table {
    private final List<TableColumn> columns;
    private final Dataset cells;

    /** @param columns none: every column holds numbers, of which none is missing */
    protected Table(List<TableColumn> columns, Dataset cells) {
        Check.that(
                columns.isEmpty()
                        || columns.stream()
                                .map(TableColumn::name)
                                .toList()
                                .equals(cells.schema().features()),
                "%s: a table must have one column per cell of a row, by the same names",
                cells.source().name());
        this.columns = columns.stream().allMatch(TableColumn::isFeature) ? List.of() : List.copyOf(columns);
        this.cells = cells;
    }

    /** A table of numbers of which none is missing. */
    public static Table of(Dataset numbers) {
        return new Table(List.of(), numbers);
    }

    /**
     * A table of these columns.
     *
     * @param cells called as the columns are: numbers, places of categories, NaN where a cell is missing
     */
    public static Table of(List<TableColumn> columns, Dataset cells) {
        return new Table(columns, cells);
    }

    /** Whether every column holds numbers of which none is missing, so that the cells are features as they are. */
    public boolean isNumbers() {
        return columns.isEmpty();
    }

    public List<TableColumn> columns() {
        return isNumbers()
                ? schema().features().stream().map(TableColumn::number).toList()
                : columns;
    }

    /** The cells, with the label, source and weight of each row. */
    public Dataset cells() {
        return cells;
    }

    /** What the columns, labels and sources are called. */
    public Schema schema() {
        return cells.schema();
    }

    public DataSource source() {
        return cells.source();
    }

    public int rows() {
        return cells.rows();
    }

    /** Whether there is nothing in a cell. */
    public boolean isMissing(int row, int column) {
        return !isNumbers()
                && columns.get(column).missing() != TableColumn.Missing.FAIL
                && Double.isNaN(cells.row(row)[column]);
    }
}
