package holdfast.formats;

import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;

/** Rows of other sources than these; remembers which of them there were. */
final class RowsWithout implements Iterator<CsvRows.Row> {
    private final Iterator<CsvRows.Row> rows;
    private final Set<String> without;
    private final int column;
    private final CsvColumns columns;
    private final Set<String> seen = new HashSet<>();
    private CsvRows.Row next;

    RowsWithout(Iterator<CsvRows.Row> rows, Set<String> without, int column, CsvColumns columns) {
        this.rows = rows;
        this.without = column < 0 ? Set.of() : without;
        this.column = column;
        this.columns = columns;
    }

    Set<String> seen() {
        return seen;
    }

    @Override
    public boolean hasNext() {
        while (next == null && rows.hasNext()) {
            CsvRows.Row row = rows.next();
            if (without.isEmpty() || !isLeftOut(row)) {
                next = row;
            }
        }
        return next != null;
    }

    private boolean isLeftOut(CsvRows.Row row) {
        columns.requireHaveAll(row);
        String cell = row.cell(column).strip();
        String name = cell.isEmpty() ? SourceFacts.NO_SOURCE : cell;
        if (without.contains(name)) {
            seen.add(name);
            return true;
        }
        return false;
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
