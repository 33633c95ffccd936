package holdfast.data;

import java.util.Arrays;
import java.util.List;

/** Rows on the heap: labels and weights, which all such blocks share. */
abstract class HeapBlock implements Block {
    final int columns;
    final double[] labels;
    final double[] weights;

    HeapBlock(int columns, double[] labels, double[] weights) {
        this.columns = columns;
        this.labels = labels;
        this.weights = weights;
    }

    @Override
    public final int rows() {
        return labels.length;
    }

    @Override
    public final int columns() {
        return columns;
    }

    @Override
    public final double[] labels() {
        return labels;
    }

    @Override
    public final double[] weights() {
        return weights;
    }

    /** Returns the rows from {@code first} on, one for each label. */
    abstract Block slice(int first, double[] ownLabels, double[] ownWeights);

    @Override
    public final Block slice(int first, int count) {
        return slice(
                first,
                Arrays.copyOfRange(labels, first, first + count),
                weights == null ? null : Arrays.copyOfRange(weights, first, first + count));
    }

    /** Divides the rows into parts of this many values, but at least eight rows. */
    final List<Block> parts(int values) {
        return slices(Math.max(8, values / columns & ~7));
    }
}
