package holdfast.formats;

import holdfast.InputException;
import holdfast.certificate.VotedRows;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.preparation.Encoding;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Rows as one of several models reads them, with its own columns and categories. A row that it cannot read, because it lacks
 * a column or has a value that the model has no use for, is marked and stops nobody.
 */
final class ModelRows {
    private final Schema schema;
    private final Encoding encoding;
    private final List<Encoding.Column> wanted;
    private final DatasetBuilder builder;
    private final double[] cells;
    private final BitSet unreadable = new BitSet();
    private CsvColumns columns;
    /** The column of each cell; null if the file lacks one. */
    private int[] at;

    private String reason;

    ModelRows(TrainedModel model) {
        this.schema = model.schema();
        this.encoding = model.encoding();
        this.wanted = Csv.wanted(schema, encoding);
        this.cells = new double[wanted.size()];
        this.builder = encoding.equals(Encoding.NONE) ? new DatasetBuilder(cells.length) : encoding.builder();
    }

    /** Finds the columns of the file that the next rows are from. */
    void bind(CsvColumns ofFile) {
        columns = ofFile;
        try {
            at = Csv.places(ofFile, wanted);
        } catch (InputException e) {
            at = null;
            reason = reason == null ? e.getMessage() : reason;
        }
    }

    void add(CsvRows.Row record) {
        boolean readable = at != null;
        for (int i = 0; i < cells.length && readable; i++) {
            try {
                cells[i] = columns.known(record, at[i], wanted.get(i), unseen -> {});
            } catch (InputException e) {
                reason = reason == null ? e.getMessage() : reason;
                readable = false;
            }
        }
        if (!readable) {
            unreadable.set(builder.rows());
            Arrays.fill(cells, 0);
        }
        if (encoding.equals(Encoding.NONE)) {
            builder.add(cells, 0, 0, 1);
        } else {
            encoding.add(cells, 0, 0, 1, builder);
        }
    }

    /** Returns whether it could read any row. */
    boolean readsAny() {
        return unreadable.cardinality() < builder.rows();
    }

    /** Returns why it could not read the first row that it could not; null if it read all. */
    String reason() {
        return reason;
    }

    VotedRows.GroupRows finish(DataSource source) {
        return new VotedRows.GroupRows(builder.build(schema.withoutGroups(), source), unreadable);
    }
}
