package holdfast.spark.engine;

import holdfast.data.DataSource;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.data.TableColumn;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.Encoding;
import holdfast.preparation.Preparation;
import holdfast.preparation.RawRows;
import java.util.List;

/**
 * The training rows of a table on the executors, in three forms: cells, the features made from them, and the prepared
 * rows that workers train on. What is learnt from them is learnt by group of sources, so they are dealt to these groups.
 *
 * <p>How rows are cut into blocks depends on the number of features. So cells are dealt again once the encoding is
 * known, and become features where they arrive.
 */
final class TrainingRows implements RawRows, AutoCloseable {
    private final SparkTable table;
    private final Schema schema;
    private final DataSource source;
    private final int partitions;
    private final RowAssignment together;
    private final RowAssignment bySource;
    private final double[] meanWeights;
    private Encoding encoding;
    private Pieces features;

    /**
     * @param schema of the table, with the names of the groups whose statistics are taken; without groups if all rows
     *     are pooled
     * @param together gives all training rows to one worker
     * @param bySource gives them to one worker per group; the same as {@code together} if all rows are pooled
     * @param meanWeights the mean weight of each group, to which the rows' weights become relative; of all rows if they
     *     are pooled; empty if rows have no weights
     */
    TrainingRows(
            SparkTable table,
            Schema schema,
            DataSource source,
            int partitions,
            RowAssignment together,
            RowAssignment bySource,
            double[] meanWeights) {
        this.table = table;
        this.schema = schema;
        this.source = source;
        this.partitions = partitions;
        this.together = together;
        this.bySource = bySource;
        this.meanWeights = meanWeights;
    }

    /** The schema of the features. */
    private Schema schema(Encoding learnt) {
        return learnt.schema(schema);
    }

    int width(Encoding learnt) {
        return isFeatures() ? table.width() : learnt.features().size();
    }

    boolean sparse(Encoding learnt) {
        return isFeatures() ? table.sparse() : learnt.sparse();
    }

    private boolean isFeatures() {
        return table.cells().isEmpty();
    }

    /** Learns the encoding at the first call and returns the same afterwards. */
    @Override
    public Encoding learnEncoding(boolean dealt, AcrossSources across) {
        if (encoding == null) {
            encoding = isFeatures() ? Encoding.NONE : learn(dealt, across);
        }
        return encoding;
    }

    private Encoding learn(boolean dealt, AcrossSources across) {
        List<TableColumn> columns = table.cells();
        int blockRows = Piece.builder(false, columns.size()).blockRows();
        try (Pieces cells =
                relative(bySource, cells(bySource, blockRows, false)).cached()) {
            SparkRows rows = new SparkRows(
                    schema,
                    source,
                    table.weighted(),
                    cells,
                    () -> relative(together, cells(together, blockRows, false)));
            return Encoding.learn(rows, columns, dealt, across);
        }
    }

    private Pieces cells(RowAssignment deal, int blockRows, boolean whole) {
        return table.dealt(deal, BlockLayout.of(deal.sizes, blockRows, partitions, whole), schema.classes());
    }

    private Pieces cells(RowAssignment deal, boolean whole, Encoding learnt) {
        return cells(deal, Piece.builder(sparse(learnt), width(learnt)).blockRows(), whole);
    }

    /** Makes the weights of rows relative to the mean of their group. */
    private Pieces relative(RowAssignment deal, Pieces cells) {
        if (meanWeights.length == 0) {
            return cells;
        }
        if (deal != bySource) {
            throw new IllegalStateException("the weights of rows are relative to their groups, so ask by group");
        }
        double[] means = meanWeights;
        return cells.map(
                piece -> piece.map(rows -> rows.reweigh(r -> rows.weight(r) / means[piece.worker()])), cells.sparse());
    }

    private Pieces features(RowAssignment deal, Encoding learnt) {
        Pieces cells = relative(deal, cells(deal, false, learnt));
        if (isFeatures()) {
            return cells;
        }
        TravellingPreparation encoder = new TravellingPreparation(table.cells(), learnt);
        return cells.map(piece -> piece.map(encoder::features), sparse(learnt));
    }

    /** Keeps the features on the executors until this is closed. */
    @Override
    public Rows features(Encoding learnt) {
        features = features == null ? features(bySource, learnt).cached() : features;
        return new SparkRows(schema(learnt), source, table.weighted(), features, () -> features(together, learnt));
    }

    /** Returns the rows to train on, by group. */
    Pieces prepared(Preparation preparation) {
        return prepared(features == null ? features(bySource, preparation.encoding()) : features, preparation);
    }

    private Pieces prepared(Pieces features, Preparation preparation) {
        TravellingPreparation prepare = new TravellingPreparation(table.cells(), preparation);
        return features.map(piece -> piece.map(prepare::trainable), sparse(preparation.encoding()));
    }

    /** Returns prepared rows as {@link Rows}. */
    Rows rows(Pieces prepared, Preparation preparation) {
        Encoding learnt = preparation.encoding();
        return new SparkRows(
                schema(learnt), source, true, prepared, () -> prepared(features(together, learnt), preparation));
    }

    /**
     * Returns the rows to train on, by worker.
     *
     * @param whole whether each worker must be in one place
     */
    Pieces shards(RowAssignment deal, boolean whole, Preparation preparation) {
        TravellingPreparation prepare = new TravellingPreparation(table.cells(), preparation);
        return cells(deal, whole, preparation.encoding())
                .map(piece -> piece.map(rows -> prepare.shard(rows, piece.worker())), sparse(preparation.encoding()));
    }

    @Override
    public void close() {
        if (features != null) {
            features.close();
            features = null;
        }
    }
}
