package holdfast.formats;

import holdfast.preparation.Encoding;
import java.util.function.Consumer;

/** Counts the values of a text column that training did not have. */
final class UnseenValues implements Consumer<String> {
    private final Encoding.Column column;
    private long rows;
    private String first;

    UnseenValues(Encoding.Column column) {
        this.column = column;
    }

    @Override
    public void accept(String value) {
        rows++;
        first = first == null || value.compareTo(first) < 0 ? value : first;
    }

    /** Warns if there were any. */
    void warn(String file) {
        if (rows > 0) {
            column.warnOfUnseen(file, rows, first);
        }
    }
}
