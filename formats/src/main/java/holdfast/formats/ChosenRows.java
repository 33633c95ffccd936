package holdfast.formats;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The rows of a table that a {@link RowFilter} chooses. */
final class ChosenRows implements Iterator<CsvRows.Row> {
    private final Iterator<CsvRows.Row> rows;
    private final Function<CsvRows.Row, String> source;
    private final RowFilter filter;
    private final Map<String, Integer> seen = new HashMap<>();
    private CsvRows.Row next;

    /** @param source names the source of a row */
    ChosenRows(Iterator<CsvRows.Row> rows, Function<CsvRows.Row, String> source, RowFilter filter) {
        this.rows = rows;
        this.source = source;
        this.filter = filter;
    }

    /** Returns what names the sources of rows by a column. */
    static Function<CsvRows.Row, String> named(CsvColumns columns, int column) {
        return row -> {
            columns.requireHaveAll(row);
            return row.cell(column).strip();
        };
    }

    @Override
    public boolean hasNext() {
        while (next == null && rows.hasNext()) {
            CsvRows.Row row = rows.next();
            String name = source.apply(row);
            next = filter.keeps(name, seen.merge(name, 1, Integer::sum) - 1) ? row : null;
        }
        return next != null;
    }

    @Override
    public CsvRows.Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        CsvRows.Row row = next;
        next = null;
        return row;
    }
}
