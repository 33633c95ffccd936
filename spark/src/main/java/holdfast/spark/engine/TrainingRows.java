package holdfast.spark.engine;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.data.TableColumn;
import holdfast.preparation.Encoding;
import holdfast.preparation.Preparation;
import holdfast.preparation.RawRows;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The training rows of a table on the executors, in three forms: cells, the features made from them, and the prepared
 * rows that workers train on.
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
    private final boolean[] present;
    private Encoding encoding;
    private Pieces features;

    /**
     * @param schema of the table, with its sources if rows name some
     * @param training numbers of the training rows, ascending; null if all rows train
     * @param outline of all rows; null if all rows train
     */
    TrainingRows(SparkTable table, Schema schema, DataSource source, int partitions, int[] training, Dataset outline) {
        this.table = table;
        this.schema = schema;
        this.source = source;
        this.partitions = partitions;
        boolean named = !schema.groups().isEmpty();
        if (training == null) {
            this.together = RowAssignment.together(table.count());
            this.bySource = named ? table.bySource() : null;
            this.present = new boolean[schema.groups().size()];
            Arrays.fill(present, true);
        } else {
            int rows = (int) table.count();
            this.together = RowAssignment.listed(rows, List.of(training));
            List<int[]> sources = outline.select(training).rowsBySource().stream()
                    .map(own -> Arrays.stream(own).map(r -> training[r]).toArray())
                    .toList();
            this.present = new boolean[sources.size()];
            IntStream.range(0, present.length).forEach(s -> present[s] = sources.get(s).length > 0);
            this.bySource = named
                    ? RowAssignment.listed(
                            rows, sources.stream().filter(own -> own.length > 0).toList())
                    : null;
        }
    }

    /** The schema of the features. */
    Schema schema() {
        return learnEncoding().schema(schema);
    }

    int width() {
        return isFeatures() ? table.width() : schema().features().size();
    }

    boolean sparse() {
        return isFeatures() ? table.sparse() : learnEncoding().sparse();
    }

    private boolean isFeatures() {
        return table.cells().isEmpty();
    }

    /** Learns the encoding at the first call and returns the same afterwards. */
    @Override
    public Encoding learnEncoding() {
        if (encoding == null) {
            encoding = isFeatures() ? Encoding.NONE : learn();
        }
        return encoding;
    }

    private Encoding learn() {
        List<TableColumn> columns = table.cells();
        int blockRows = Piece.builder(false, columns.size()).blockRows();
        try (Pieces cells = cells(together, blockRows, false).cached()) {
            return Encoding.learn(
                    new SparkRows(
                            schema, source, table.weighted(), cells, () -> cells(bySource, blockRows, false), present),
                    columns);
        }
    }

    private Pieces cells(RowAssignment deal, int blockRows, boolean whole) {
        return table.dealt(deal, BlockLayout.of(deal.sizes, blockRows, partitions, whole), schema.classes());
    }

    private Pieces cells(RowAssignment deal, boolean whole) {
        return cells(deal, Piece.builder(sparse(), width()).blockRows(), whole);
    }

    private Pieces features(RowAssignment deal) {
        Pieces cells = cells(deal, false);
        if (isFeatures()) {
            return cells;
        }
        TravellingPreparation encoder = new TravellingPreparation(table.cells(), learnEncoding());
        return cells.map(piece -> piece.map(encoder::features), sparse());
    }

    /** Keeps the features on the executors until this is closed. */
    @Override
    public Rows features(Encoding learnt) {
        features = features == null ? features(together).cached() : features;
        return new SparkRows(schema(), source, table.weighted(), features, () -> features(bySource), present);
    }

    /** Returns the rows to train on, as those of one worker. */
    Pieces prepared(Preparation preparation) {
        if (features == null) {
            return shards(together, false, preparation);
        }
        TravellingPreparation prepare = new TravellingPreparation(table.cells(), preparation);
        return features.map(piece -> piece.map(prepare::trainable), sparse());
    }

    /** Returns prepared rows as {@link Rows}. */
    Rows rows(Pieces prepared, Preparation preparation) {
        return new SparkRows(schema(), source, true, prepared, () -> shards(bySource, false, preparation), present);
    }

    /**
     * Returns the rows to train on, by worker.
     *
     * @param whole whether each worker must be in one place
     */
    Pieces shards(RowAssignment deal, boolean whole, Preparation preparation) {
        TravellingPreparation prepare = new TravellingPreparation(table.cells(), preparation);
        return cells(deal, whole).map(piece -> piece.map(prepare::apply), sparse());
    }

    @Override
    public void close() {
        if (features != null) {
            features.close();
            features = null;
        }
    }
}
