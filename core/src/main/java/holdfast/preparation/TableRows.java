package holdfast.preparation;

import holdfast.data.Dataset;
import holdfast.data.Table;
import java.util.List;
import java.util.Optional;

/** Rows of a table in this process. */
public final class TableRows implements RawRows {
    private final Table table;
    private final int[] rows;
    private final List<String> names;
    private final int[] groups;
    private final Optional<String> ignored;
    private Encoding made;
    private Dataset features;

    /** Creates rows of a table of which every column becomes features. */
    public TableRows(Table table, int[] rows, List<String> names, int[] groups) {
        this(table, rows, names, groups, Optional.empty());
    }

    /**
     * Creates rows of a table.
     *
     * @param rows numbers of the training rows, ascending
     * @param names of the groups of sources whose statistics are taken; empty if all rows are pooled
     * @param groups for each of the rows, the index of its group
     * @param ignored a column that becomes no feature
     */
    public TableRows(Table table, int[] rows, List<String> names, int[] groups, Optional<String> ignored) {
        this.table = table;
        this.rows = rows;
        this.names = names;
        this.groups = groups;
        this.ignored = ignored;
    }

    @Override
    public Encoding learnEncoding(boolean dealt, AcrossSources across) {
        if (table instanceof EncodedTable encoded) {
            return encoded.encoding();
        }
        if (table.isNumbers()) {
            return Encoding.NONE;
        }
        int[] byRow = new int[table.rows()];
        for (int i = 0; i < groups.length; i++) {
            byRow[rows[i]] = groups[i];
        }
        return Encoding.learn(grouped(table.cells(), byRow).rows(rows), table.columns(), ignored, dealt, across);
    }

    /** Computes the features once. */
    @Override
    public Dataset features(Encoding encoding) {
        if (!encoding.equals(made)) {
            features = grouped(encoding.apply(table, rows), groups);
            made = encoding;
        }
        return features;
    }

    private Dataset grouped(Dataset data, int[] byRow) {
        return names.isEmpty() ? data.withoutGroups() : data.grouped(names, byRow);
    }
}
