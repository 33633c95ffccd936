package holdfast.data;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.function.IntPredicate;

/** Rows stored one after the other. */
public final class DenseBlock implements Block {
    private final int columns;
    private final double[] values;
    private final double[] labels;
    private final double[] weights;

    /** The arrays are kept, not copied. */
    public DenseBlock(int columns, double[] values, double[] labels, double[] weights) {
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
        this.columns = columns;
        this.values = values;
        this.labels = labels;
        this.weights = weights;
    }

    @Override
    public boolean sparse() {
        return false;
    }

    @Override
    public int rows() {
        return labels.length;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public double[] labels() {
        return labels;
    }

    @Override
    public double[] weights() {
        return weights;
    }

    @Override
    public Block weighted(double[] other) {
        return new DenseBlock(columns, values, labels, other);
    }

    @Override
    public Block relabelled(double[] other) {
        return new DenseBlock(columns, values, other, weights);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        double[] changed = values.clone();
        for (int j = 0; j < labels.length; j++) {
            if (rows.test(j)) {
                changed[j * columns + column] = value;
            }
        }
        return new DenseBlock(columns, changed, labels, weights);
    }

    @Override
    public void times(double[] theta, double[] out) {
        for (int j = 0; j < labels.length; j++) {
            out[j] = Vectors.dot(values, j * columns, theta, 0, columns);
        }
    }

    /** Four rows at a time: each element of {@code into} is loaded once for four additions, in the order of the rows. */
    @Override
    public void addTransposed(double[] r, double[] into) {
        int n = columns;
        int full = labels.length & ~3;
        for (int j = 0; j < full; j += 4) {
            int a = j * n;
            int b = a + n;
            int c = b + n;
            int d = c + n;
            double ra = r[j];
            double rb = r[j + 1];
            double rc = r[j + 2];
            double rd = r[j + 3];
            for (int i = 0; i < n; i++) {
                into[i] = (((into[i] + ra * values[a + i]) + rb * values[b + i]) + rc * values[c + i])
                        + rd * values[d + i];
            }
        }
        for (int j = full; j < labels.length; j++) {
            int a = j * n;
            double ra = r[j];
            for (int i = 0; i < n; i++) {
                into[i] += ra * values[a + i];
            }
        }
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        System.arraycopy(values, j * columns, into, offset, columns);
    }

    @Override
    public void nonZeros(int j, Entry entry) {
        for (int i = 0; i < columns; i++) {
            double x = values[j * columns + i];
            if (x != 0) {
                entry.accept(i, x);
            }
        }
    }
}
