package holdfast.formats;

import holdfast.data.TableColumn;
import java.io.Serializable;

/**
 * What a plan says about a feature column of a table.
 *
 * @param text whether it is text; null if the cells decide
 * @param dates whether words that are dates become numbers
 * @param kept whether it is a feature even if it looks like an identifier
 */
public record ColumnSettings(String name, Boolean text, TableColumn.Missing missing, boolean dates, boolean kept)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Returns the same settings of a column whose type says whether it is text. */
    public ColumnSettings typed(Boolean isText) {
        return new ColumnSettings(name, isText, missing, dates, kept);
    }

    /** Returns whether the cells may turn out to be dates. */
    public boolean mayHoldDates() {
        return dates && text == null;
    }
}
