package holdfast.formats;

import holdfast.data.DatePart;
import holdfast.data.TableColumn;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A feature column of a file after all its cells were read: what it becomes in the table. */
interface ReadColumn {
    String name();

    /** Returns why the column holds identifiers of rows and is left out; null if it is not. */
    String leftOut();

    /** Returns whether it holds dates. */
    boolean isDates();

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
            return part.column(column.name());
        }
    }

    /** Returns the columns of the table, without those that are left out. */
    static List<Output> outputs(List<? extends ReadColumn> read, List<DatePart> ofDates) {
        return IntStream.range(0, read.size())
                .boxed()
                .filter(c -> read.get(c).leftOut() == null)
                .flatMap(c -> (read.get(c).isDates() ? ofDates.stream() : Stream.of(DatePart.NONE))
                        .map(part -> new Output(read.get(c), c, part)))
                .toList();
    }
}
