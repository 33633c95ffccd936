package holdfast.data;

import holdfast.InputException;
import holdfast.math.Kernels;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Rows stored one after the other as 32-bit floats, half the memory of a {@link DenseBlock}. Only storage is narrow:
 * every product and sum uses doubles, so the results equal, bit for bit, those of a dense block with the same rounded
 * values.
 */
public final class FloatBlock extends HeapBlock {
    /** A quarter of a megabyte, as in {@link DenseBlock}. */
    private static final int PART_VALUES = 1 << 16;

    private final float[] values;
    private final int from;

    private FloatBlock(int columns, float[] values, int from, double[] labels, double[] weights) {
        super(columns, labels, weights);
        this.values = values;
        this.from = from;
    }

    /**
     * Returns a block's rows with every value rounded to the nearest float.
     *
     * @throws InputException if a rounded value is infinite
     */
    static FloatBlock of(Block block) {
        int d = block.columns();
        float[] values = new float[block.rows() * d];
        double[] row = new double[d];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            for (int i = 0; i < d; i++) {
                values[j * d + i] = rounded(row[i]);
            }
        }
        return new FloatBlock(d, values, 0, block.labels(), block.weights());
    }

    static boolean fits(double value) {
        return Float.isFinite((float) value);
    }

    private static float rounded(double value) {
        if (!fits(value)) {
            throw new InputException(
                    "--storage float cannot hold " + value + ", which is too large; use --storage double");
        }
        return (float) value;
    }

    @Override
    public boolean sparse() {
        return false;
    }

    @Override
    public Block weighted(double[] other) {
        return new FloatBlock(columns, values, from, labels, other);
    }

    @Override
    public Block relabelled(double[] other) {
        return new FloatBlock(columns, values, from, other, weights);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        float given = rounded(value);
        float[] changed = Arrays.copyOfRange(values, from, from + labels.length * columns);
        for (int j = 0; j < labels.length; j++) {
            if (rows.test(j)) {
                changed[j * columns + column] = given;
            }
        }
        return new FloatBlock(columns, changed, 0, labels, weights);
    }

    @Override
    public List<Block> parts() {
        return parts(PART_VALUES);
    }

    @Override
    Block slice(int first, double[] ownLabels, double[] ownWeights) {
        return new FloatBlock(columns, values, from + first * columns, ownLabels, ownWeights);
    }

    @Override
    public void times(double[] theta, double[] out) {
        Kernels.CHOSEN.times(values, from, labels.length, columns, theta, out);
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        Kernels.CHOSEN.addTransposed(values, from, labels.length, columns, r, into);
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        for (int i = 0; i < columns; i++) {
            into[offset + i] = values[from + j * columns + i];
        }
    }

    @Override
    public void nonZeros(int j, Entry entry) {
        for (int i = 0; i < columns; i++) {
            double x = values[from + j * columns + i];
            if (x != 0) {
                entry.accept(i, x);
            }
        }
    }
}
