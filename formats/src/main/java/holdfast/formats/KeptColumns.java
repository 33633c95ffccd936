package holdfast.formats;

import holdfast.Check;
import holdfast.CloseNames;
import holdfast.InputException;
import holdfast.NameList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Columns of a table that are kept as text, as they are written, beside what a model reads of it: one object for one
 * reading of one file.
 */
public final class KeptColumns {
    private final String flag;
    private final List<String> wanted;
    private final List<String> names = new ArrayList<>();
    private final List<String[]> rows = new ArrayList<>();
    private int[] at;

    /**
     * Creates columns to keep.
     *
     * @param flag the option that names them, for messages
     * @param wanted names, or numbers from 1
     */
    public KeptColumns(String flag, List<String> wanted) {
        this.flag = flag;
        this.wanted = List.copyOf(wanted);
        Set<String> seen = new HashSet<>();
        for (String name : wanted) {
            Check.that(seen.add(name), "%s names the column '%s' twice", flag, name);
        }
    }

    /** Keeps nothing. */
    public static KeptColumns none() {
        return new KeptColumns("", List.of());
    }

    /** Reads the option that names columns, separated by commas; null, if it is not given, keeps nothing. */
    public static KeptColumns parse(String flag, String text) {
        if (text == null) {
            return none();
        }
        List<String> wanted = new ArrayList<>();
        for (String name : NameList.parse(text)) {
            Check.that(!name.isBlank(), "%s must be names separated by commas, such as id,name; got '%s'", flag, text);
            wanted.add(name);
        }
        return new KeptColumns(flag, wanted);
    }

    boolean isEmpty() {
        return wanted.isEmpty();
    }

    /** Returns the names of the columns. */
    public List<String> names() {
        return List.copyOf(names);
    }

    /** Returns the cells of a row, from 0. */
    public List<String> row(int row) {
        return isEmpty() ? List.of() : List.of(rows.get(row));
    }

    /** Finds the columns in a file. */
    void bind(CsvColumns columns) {
        at = new int[wanted.size()];
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < at.length; i++) {
            String name = wanted.get(i);
            Integer found = columns.known(name);
            if (found == null) {
                throw new InputException(String.format(
                        "%s: %s '%s' is not a column; the closest: %s",
                        columns.file(), flag, name, String.join(", ", CloseNames.of(name, columns.names()))));
            }
            Check.that(seen.add(found), "%s names the column '%s' twice", flag, name);
            at[i] = found;
            names.add(columns.names().get(found));
        }
    }

    void add(CsvRows.Row row) {
        if (at.length > 0) {
            String[] cells = new String[at.length];
            for (int i = 0; i < at.length; i++) {
                cells[i] = row.written(at[i]);
            }
            rows.add(cells);
        }
    }

    /** Checks that a reader that knows no cells of text has none to keep. */
    void requireBeEmpty(String file) {
        Check.that(isEmpty(), "%s: %s needs a table in CSV", file, flag);
    }
}
