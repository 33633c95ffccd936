package holdfast.spark.io;

import holdfast.Spec;
import holdfast.formats.DecidedColumn;
import java.io.Serializable;
import java.util.List;

/**
 * How the numbers in text columns are named: as they are written from some row on, and before it as
 * {@link Spec#print} writes them. This is what one process does, which keeps numbers until it meets the first word.
 *
 * @param from for each column the number of that row; empty if numbers are always named as they are written
 */
record WrittenNumbers(long[] from) implements Serializable {
    static final WrittenNumbers ALL = new WrittenNumbers(new long[0]);

    /** Returns the same for the columns of a table. */
    WrittenNumbers in(List<DecidedColumn.Origin> table) {
        return new WrittenNumbers(table.stream().mapToLong(c -> from[c.from()]).toArray());
    }

    /**
     * Returns the name of a cell that is not missing.
     *
     * @param i the number of the column among the features
     * @param row the number of the row
     */
    String name(int i, Object cell, long row) {
        double number = i < from.length && row < from[i] ? RowLayout.number(cell) : Double.NaN;
        return Double.isNaN(number) ? RowLayout.text(cell) : Spec.print(number);
    }
}
