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
    private final double[] meanWeights;
    private Encoding made;
    private Dataset features;

    /** Creates rows of a table of which every column becomes features. */
    public TableRows(Table table, int[] rows, List<String> names, int[] groups) {
        this(table, rows, names, groups, Optional.empty(), new double[0]);
    }

    /**
     * Creates rows of a table.
     *
     * @param rows numbers of the training rows, ascending
     * @param names of the groups of sources whose statistics are taken; empty if all rows are pooled
     * @param groups for each of the rows, the index of its group
     * @param ignored a column that becomes no feature
     * @param meanWeights the mean weight of each group, to which the rows' weights become relative; of all rows if they
     *     are pooled; empty if rows have no weights
     */
    public TableRows(
            Table table, int[] rows, List<String> names, int[] groups, Optional<String> ignored, double[] meanWeights) {
        this.table = table;
        this.rows = rows;
        this.names = names;
        this.groups = groups;
        this.ignored = ignored;
        this.meanWeights = meanWeights;
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
        Dataset grouped = names.isEmpty() ? data.withoutGroups() : data.grouped(names, byRow);
        return meanWeights.length == 0
                ? grouped
                : grouped.reweigh(r -> data.weight(r) / meanWeights[names.isEmpty() ? 0 : byRow[r]]);
    }
}
