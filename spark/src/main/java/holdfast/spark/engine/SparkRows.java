package holdfast.spark.engine;

import holdfast.data.DataSource;
import holdfast.data.Rows;
import holdfast.data.Schema;
import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Rows on the executors.
 *
 * @param bySource the rows with one worker per source, each of which has some; if rows name no source, with one worker
 * @param together makes the same rows with one worker; not asked if rows name no source, and closed after use
 */
record SparkRows(Schema schema, DataSource source, boolean weighted, Pieces bySource, Supplier<Pieces> together)
        implements Rows {
    @Override
    public long count() {
        return bySource.count();
    }

    @Override
    public boolean sparse() {
        return bySource.sparse();
    }

    /** Moves all rows first if they name their sources: prefer {@link #reduceBySource}. */
    @Override
    public <T> T reduce(Leaf<T> leaf, Merger<T> merger) {
        return together(pieces -> pieces.reduce(leaf, merger).get(0));
    }

    @Override
    public <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger) {
        return bySource.reduce(leaf, merger);
    }

    @Override
    public <T extends Serializable> T fold(T start, Folder<T> folder) {
        return together(pieces -> pieces.fold(start, folder));
    }

    private <T> T together(Function<Pieces, T> use) {
        if (schema.groups().isEmpty()) {
            return use.apply(bySource);
        }
        try (Pieces pieces = together.get()) {
            return use.apply(pieces);
        }
    }
}
