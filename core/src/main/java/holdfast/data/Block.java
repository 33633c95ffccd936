package holdfast.data;

import holdfast.Check;
import holdfast.math.Matrix;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Rows x_j with labels y_j and weights w_j. A linear model needs only two products of its data; both have a fixed order
 * of operations. Vectors longer than {@link #columns()} (those with an intercept) are read and written in their first
 * {@code columns()} elements only.
 */
public interface Block {
    /** The maximum number of values that sparse rows are filled up to. */
    int MAX_FILLED = 50_000_000;

    /**
     * Returns whether zeros are left out. If so, avoid work or memory per row that grows with the number of columns.
     */
    boolean sparse();

    int rows();

    int columns();

    /** Returns the labels, one per row. Do not write to the array. */
    double[] labels();

    default double label(int j) {
        return labels()[j];
    }

    /** Returns the weights, one per row, or null if all are 1. Do not write to the array. */
    double[] weights();

    default double weight(int j) {
        double[] weights = weights();
        return weights == null ? 1 : weights[j];
    }

    /** Returns the sum of the weights, which is the number of rows if all are 1. */
    default double totalWeight() {
        return weights() == null ? rows() : Vectors.sum(weights(), rows());
    }

    /** Returns the same rows with other weights; the array is kept, not copied. */
    Block weighted(double[] weights);

    /** Returns the same rows with other labels; the array is kept, not copied. */
    Block relabelled(double[] labels);

    /** Returns the same rows with this value in this column of the chosen rows. */
    Block with(IntPredicate rows, int column, double value);

    /** Returns the same rows, in order, in parts that stay in a cache from one product to the next. */
    default List<Block> parts() {
        return List.of(this);
    }

    /** Returns some of the rows; a view where the block can give one. */
    default Block slice(int first, int count) {
        double[] labels = Arrays.copyOfRange(labels(), first, first + count);
        double[] weights = weights() == null ? null : Arrays.copyOfRange(weights(), first, first + count);
        if (sparse()) {
            SparseBlock.Builder builder = new SparseBlock.Builder(columns());
            for (int j = first; j < first + count; j++) {
                nonZeros(j, builder::put);
                builder.endRow();
            }
            return builder.build(labels, weights);
        }
        double[] values = new double[count * columns()];
        for (int j = 0; j < count; j++) {
            copyRow(first + j, values, j * columns());
        }
        return new DenseBlock(columns(), values, labels, weights);
    }

    /** Returns the same rows, in order, in slices of this many; the last may have fewer. */
    default List<Block> slices(int count) {
        return rows() <= count
                ? List.of(this)
                : IntStream.iterate(0, first -> first < rows(), first -> first + count)
                        .mapToObj(first -> slice(first, Math.min(count, rows() - first)))
                        .toList();
    }

    /** out[j] = x_j . theta */
    void times(double[] theta, double[] out);

    /** into += sum over j of r[j] x_j, rows in order. */
    void addTransposed(double[] r, double[] into);

    /**
     * Returns the product of sum over j of w_j k(y_j) x_j x_j^T with a vector. If the vector is longer than a row, a 1
     * is appended to each x_j. The matrix is never formed.
     *
     * @param factor k
     */
    default double[] timesSecondMoment(LabelFunction factor, double[] v) {
        int d = columns();
        double[] u = new double[rows()];
        times(v, u);
        double[] weights = weights();
        double[] labels = labels();
        for (int j = 0; j < u.length; j++) {
            double k = factor.applyAsDouble(labels[j]);
            u[j] = (u[j] + (v.length > d ? v[d] : 0)) * (weights == null ? k : weights[j] * k);
        }
        double[] out = new double[v.length];
        addTransposed(u, out);
        if (v.length > d) {
            out[d] = Vectors.sum(u, u.length);
        }
        return out;
    }

    /**
     * out += X b for the rows of X and a matrix b with as many rows as there are columns: for each row of X its terms in
     * the order of the columns. A row of the result depends on no other row.
     */
    default void addProduct(Matrix b, Matrix out) {
        if (!sparse()) {
            out.addProduct(Matrix.of(filled(""), 0, rows(), columns()), b);
            return;
        }
        for (int j = 0; j < rows(); j++) {
            int row = j;
            nonZeros(j, (i, x) -> out.addRow(row, x, b, i));
        }
    }

    /** out += X^T b for a matrix b with as many rows as X: the terms in the order of the rows. */
    default void addTransposedProduct(Matrix b, Matrix out) {
        if (!sparse()) {
            out.addProduct(Matrix.of(filled(""), 0, rows(), columns()).transposed(), b);
            return;
        }
        for (int j = 0; j < rows(); j++) {
            int row = j;
            nonZeros(j, (i, x) -> out.addRow(i, x, b, row));
        }
    }

    /** Copies row j to {@code into} at {@code offset}. */
    void copyRow(int j, double[] into, int offset);

    /** Passes the non-zero values of row j to {@code entry}, in ascending order of columns. */
    void nonZeros(int j, Entry entry);

    /** Receives one value of a row. */
    @FunctionalInterface
    interface Entry {
        void accept(int column, double value);
    }

    /**
     * Returns a copy of the rows, including zeros, one after the other.
     *
     * @param otherwise what users can do if the rows are sparse and there are too many of them, as the end of a
     *     sentence
     * @throws holdfast.InputException if sparse rows would become more than {@value #MAX_FILLED} values
     */
    default double[] filled(String otherwise) {
        requireFillable(otherwise);
        double[] values = new double[rows() * columns()];
        for (int j = 0; j < rows(); j++) {
            copyRow(j, values, j * columns());
        }
        return values;
    }

    /** Fails where {@link #filled} would fail, without filling. */
    default void requireFillable(String otherwise) {
        Check.that(
                !sparse() || (long) rows() * columns() <= MAX_FILLED,
                "%d sparse rows of %d columns would have to be stored with their zeros, more than %d values; %s",
                rows(),
                columns(),
                MAX_FILLED,
                otherwise);
    }
}
