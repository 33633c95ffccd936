package holdfast.spark.engine;

import holdfast.data.DataSource;
import holdfast.data.Rows;
import holdfast.data.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Rows on the executors.
 *
 * @param together the rows as those of one worker
 * @param bySource the same rows with one worker per source that has some; closed after use
 * @param present for each source, whether it has some of the rows; empty: rows name no source
 */
record SparkRows(
        Schema schema,
        DataSource source,
        boolean weighted,
        Pieces together,
        Supplier<Pieces> bySource,
        boolean[] present)
        implements Rows {
    @Override
    public long count() {
        return together.count();
    }

    @Override
    public boolean sparse() {
        return together.sparse();
    }

    @Override
    public <T> T reduce(Leaf<T> leaf, Merger<T> merger) {
        return together.reduce(leaf, merger).get(0);
    }

    @Override
    public <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger) {
        if (present.length == 0) {
            return List.of(reduce(leaf, merger));
        }
        try (Pieces pieces = bySource.get()) {
            List<T> found = pieces.reduce(leaf, merger);
            List<T> all = new ArrayList<>();
            int next = 0;
            for (boolean there : present) {
                all.add(there ? found.get(next++) : null);
            }
            return all;
        }
    }

    @Override
    public <T extends Serializable> T fold(T start, Folder<T> folder) {
        return together.fold(start, folder);
    }
}
