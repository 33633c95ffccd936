package holdfast.preparation;

import holdfast.data.Dataset;
import holdfast.data.Table;

/** Rows of a table in this process. */
public final class TableRows implements RawRows {
    private final Table table;
    private final int[] rows;
    private Encoding made;
    private Dataset features;

    /**
     * Creates rows of a table.
     *
     * @param rows numbers of the training rows, ascending
     */
    public TableRows(Table table, int[] rows) {
        this.table = table;
        this.rows = rows;
    }

    @Override
    public Encoding learnEncoding() {
        return Encoding.learn(table, rows);
    }

    /** Computes the features once. */
    @Override
    public Dataset features(Encoding encoding) {
        if (!encoding.equals(made)) {
            features = encoding.apply(table, rows);
            made = encoding;
        }
        return features;
    }
}
