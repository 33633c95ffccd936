package holdfast.formats;

import holdfast.data.DatePart;
import holdfast.data.TableColumn;
import java.util.List;

/** A feature column of a file after all its cells were read: what it becomes in the table. */
interface ReadColumn {
    /** Returns what was decided about it. */
    DecidedColumn decided();

    /** Returns whether cells were kept in another way than a table has them. */
    boolean isToBeConverted();

    /** Returns a cell, which is not NaN, as a table has it; of a date, the days since 1970. */
    double convert(int row, double cell);

    /** Returns the column of the table, after all cells were converted. */
    TableColumn finish(DatePart part);

    /**
     * A column of the table.
     *
     * @param from the index of the column that was read
     */
    record Output(ReadColumn column, int from, DatePart part) {
        /** Returns whether the cells are those that were read. */
        boolean isPlain() {
            return part == DatePart.NONE && !column.isToBeConverted();
        }

        /** Returns the cell of a row, NaN if it is missing. */
        double of(int row, double[] cells) {
            double cell = cells[from];
            return Double.isNaN(cell) || isPlain() ? cell : part.of(column.convert(row, cell));
        }

        TableColumn finish() {
            return column.finish(part);
        }

        String name() {
            return part.column(column.decided().name());
        }
    }

    /** Returns the columns of the table, without those that are left out. */
    static List<Output> outputs(List<? extends ReadColumn> read, List<DatePart> ofDates) {
        return DecidedColumn.table(decided(read), ofDates).stream()
                .map(origin -> new Output(read.get(origin.from()), origin.from(), origin.part()))
                .toList();
    }

    /** Returns what was decided about columns. */
    static List<DecidedColumn> decided(List<? extends ReadColumn> read) {
        return read.stream().map(ReadColumn::decided).toList();
    }
}
