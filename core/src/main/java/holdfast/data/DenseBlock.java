package holdfast.data;

import holdfast.Check;
import holdfast.math.Kernels;
import holdfast.math.Matrix;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** Rows stored one after the other, including zeros. */
public final class DenseBlock extends HeapBlock {
    /** A quarter of a megabyte, which fits the private cache of a core. */
    private static final int PART_VALUES = 1 << 15;

    private final double[] values;
    private final int from;

    /** Creates a block; the arrays are kept, not copied. */
    public DenseBlock(int columns, double[] values, double[] labels, double[] weights) {
        this(columns, values, 0, labels, weights);
        Check.that(
                values.length == labels.length * columns,
                "%d values do not make %d rows of %d columns",
                values.length,
                labels.length,
                columns);
        Check.that(
                weights == null || weights.length == labels.length,
                "a block needs one weight per row or none, got %d for %d rows",
                weights == null ? 0 : weights.length,
                labels.length);
    }

    /** Creates a block of the first rows in an array that may be longer; the arrays are kept, not copied. */
    public static DenseBlock ofFirst(int columns, double[] values, double[] labels, double[] weights) {
        return new DenseBlock(columns, values, 0, labels, weights);
    }

    private DenseBlock(int columns, double[] values, int from, double[] labels, double[] weights) {
        super(columns, labels, weights);
        this.values = values;
        this.from = from;
    }

    @Override
    public boolean sparse() {
        return false;
    }

    @Override
    public Block weighted(double[] other) {
        return new DenseBlock(columns, values, from, labels, other);
    }

    @Override
    public Block relabelled(double[] other) {
        return new DenseBlock(columns, values, from, other, weights);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        double[] changed = Arrays.copyOfRange(values, from, from + labels.length * columns);
        for (int j = 0; j < labels.length; j++) {
            if (rows.test(j)) {
                changed[j * columns + column] = value;
            }
        }
        return new DenseBlock(columns, changed, labels, weights);
    }

    @Override
    public List<Block> parts() {
        return parts(PART_VALUES);
    }

    @Override
    Block slice(int first, double[] ownLabels, double[] ownWeights) {
        return new DenseBlock(columns, values, from + first * columns, ownLabels, ownWeights);
    }

    @Override
    public void times(double[] theta, double[] out) {
        Kernels.CHOSEN.times(values, from, labels.length, columns, theta, out);
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        Kernels.CHOSEN.addTransposed(values, from, labels.length, columns, r, into);
    }

    private Matrix matrix() {
        return Matrix.of(values, from, labels.length, columns);
    }

    @Override
    public void addProduct(Matrix b, Matrix out) {
        out.addProduct(matrix(), b);
    }

    @Override
    public void addTransposedProduct(Matrix b, Matrix out) {
        out.addProduct(matrix().transposed(), b);
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        System.arraycopy(values, from + j * columns, into, offset, columns);
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
