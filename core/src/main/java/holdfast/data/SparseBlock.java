package holdfast.data;

import holdfast.Check;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Rows stored as their non-zero values only, row after row (compressed sparse rows). Every operation costs as much as
 * there are such values, whatever the number of columns. The operations are those of {@link DenseBlock} without the
 * zeros, in the same lanes and order, so for finite vectors both give the same bits.
 */
public final class SparseBlock extends HeapBlock {
    private final int[] starts;
    private final int[] at;
    private final double[] values;

    private SparseBlock(int columns, int[] starts, int[] at, double[] values, double[] labels, double[] weights) {
        super(columns, labels, weights);
        Check.that(
                starts.length == labels.length + 1 && (weights == null || weights.length == labels.length),
                "a block needs one label and one weight per row or no weights, got %d labels and %s weights for %d rows",
                labels.length,
                weights == null ? "no" : weights.length,
                starts.length - 1);
        this.starts = starts;
        this.at = at;
        this.values = values;
    }

    /**
     * Creates a block of one row; its label does not matter.
     *
     * @param at the columns of the values, ascending; both arrays are kept, not copied
     */
    public static SparseBlock row(int columns, int[] at, double[] values) {
        return new SparseBlock(columns, new int[] {0, at.length}, at, values, new double[1], null);
    }

    /** Collects rows, value by value. */
    public static final class Builder {
        private final int width;
        private int[] starts = new int[16];
        private int[] columns = new int[16];
        private double[] values = new double[16];
        private int rows;
        private int stored;

        public Builder(int width) {
            this.width = width;
        }

        /** Adds the next value to the current row, in ascending order of columns; a zero is not stored. */
        public void put(int column, double value) {
            if (value == 0) {
                return;
            }
            if (stored == values.length) {
                columns = Arrays.copyOf(columns, 2 * stored);
                values = Arrays.copyOf(values, 2 * stored);
            }
            columns[stored] = column;
            values[stored++] = value;
        }

        public void endRow() {
            if (++rows == starts.length) {
                starts = Arrays.copyOf(starts, 2 * rows);
            }
            starts[rows] = stored;
        }

        /** Returns the rows collected so far and starts again with none. The given arrays are kept, not copied. */
        public SparseBlock build(double[] labels, double[] weights) {
            SparseBlock block = new SparseBlock(
                    width,
                    Arrays.copyOf(starts, rows + 1),
                    Arrays.copyOf(columns, stored),
                    Arrays.copyOf(values, stored),
                    labels,
                    weights);
            rows = 0;
            stored = 0;
            return block;
        }
    }

    @Override
    public boolean sparse() {
        return true;
    }

    @Override
    public Block weighted(double[] other) {
        return new SparseBlock(columns, starts, at, values, labels, other);
    }

    @Override
    public Block relabelled(double[] other) {
        return new SparseBlock(columns, starts, at, values, other, weights);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        Builder builder = new Builder(columns);
        for (int j = 0; j < labels.length; j++) {
            boolean pending = rows.test(j);
            for (int k = starts[j]; k < starts[j + 1]; k++) {
                if (pending && at[k] >= column) {
                    builder.put(column, value);
                    pending = false;
                    if (at[k] == column) {
                        continue;
                    }
                }
                builder.put(at[k], values[k]);
            }
            if (pending) {
                builder.put(column, value);
            }
            builder.endRow();
        }
        return builder.build(labels, weights);
    }

    @Override
    Block slice(int first, double[] ownLabels, double[] ownWeights) {
        int[] own = Arrays.copyOfRange(starts, first, first + ownLabels.length + 1);
        return new SparseBlock(columns, own, at, values, ownLabels, ownWeights);
    }

    @Override
    public void times(double[] theta, double[] out) {
        double[] s = new double[8];
        for (int j = 0; j < labels.length; j++) {
            Arrays.fill(s, 0);
            for (int k = starts[j]; k < starts[j + 1]; k++) {
                int i = at[k];
                s[i & 7] += values[k] * theta[i];
            }
            out[j] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
        }
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        for (int j = 0; j < labels.length; j++) {
            for (int k = starts[j]; k < starts[j + 1]; k++) {
                into[at[k]] += r[j] * values[k];
            }
        }
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        Arrays.fill(into, offset, offset + columns, 0);
        nonZeros(j, (i, x) -> into[offset + i] = x);
    }

    @Override
    public void nonZeros(int j, Entry entry) {
        for (int k = starts[j]; k < starts[j + 1]; k++) {
            entry.accept(at[k], values[k]);
        }
    }
}
