package holdfast.data;

import holdfast.math.Tree;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Some rows of a data set, in the given order. They are copied one block at a time, only while they are being read. */
record SelectedRows(Dataset from, int[] chosen) implements Rows {
    @Override
    public Schema schema() {
        return from.schema();
    }

    @Override
    public DataSource source() {
        return from.source();
    }

    @Override
    public long count() {
        return chosen.length;
    }

    @Override
    public boolean sparse() {
        return from.sparse();
    }

    @Override
    public boolean weighted() {
        return from.weighted();
    }

    private int blocks() {
        return (chosen.length - 1) / from.blockRows() + 1;
    }

    private Block block(int b) {
        int first = b * from.blockRows();
        return from.select(Arrays.copyOfRange(chosen, first, Math.min(chosen.length, first + from.blockRows())))
                .blocks()
                .get(0);
    }

    @Override
    public <T> T reduce(Leaf<T> leaf, Merger<T> merger) {
        return Tree.reduce(blocks(), b -> leaf.apply(block(b)), merger);
    }

    @Override
    public <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger) {
        return Dataset.bySource(from, chosen).stream()
                .map(rows -> rows.length == 0 ? null : new SelectedRows(from, rows).reduce(leaf, merger))
                .toList();
    }

    @Override
    public <T extends Serializable> T fold(T start, Folder<T> folder) {
        T value = start;
        for (int b = 0; b < blocks(); b++) {
            value = folder.apply(value, block(b));
        }
        return value;
    }
}
