package holdfast.data;

import java.util.ArrayList;
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

    /** Creates a part of the values, starting at row {@code first}. */
    interface Part {
        Block of(int first, double[] labels, double[] weights);
    }

    /** Divides the rows into parts of this many values, but at least eight rows. */
    final List<Block> parts(int values, Part part) {
        int most = Math.max(8, values / columns & ~7);
        if (labels.length <= most) {
            return List.of(this);
        }
        List<Block> parts = new ArrayList<>();
        for (int j = 0; j < labels.length; j += most) {
            int end = Math.min(labels.length, j + most);
            parts.add(part.of(
                    j,
                    Arrays.copyOfRange(labels, j, end),
                    weights == null ? null : Arrays.copyOfRange(weights, j, end)));
        }
        return parts;
    }
}
