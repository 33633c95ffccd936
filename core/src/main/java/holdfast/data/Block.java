package holdfast.data;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Some rows x_j with labels y_j and weights w_j. Everything a linear model needs of its data are the two products;
 * both have a fixed order of operations. Vectors longer than {@link #columns()} (those with an intercept) are read and
 * written in their first {@code columns()} elements only.
 */
public interface Block {
    /** The most values that sparse rows are ever filled up to. */
    int MAX_FILLED = 50_000_000;

    /** Whether zeros are not stored, so that nothing should be made of the rows that costs as much as there are columns. */
    boolean sparse();

    int rows();

    int columns();

    /** The labels, one per row; not to be written. */
    double[] labels();

    default double label(int j) {
        return labels()[j];
    }

    /** The weights, one per row, or null when all are 1; not to be written. */
    double[] weights();

    default double weight(int j) {
        double[] weights = weights();
        return weights == null ? 1 : weights[j];
    }

    /** The same rows with other weights; the array is kept. */
    Block weighted(double[] weights);

    /** The same rows with other labels; the array is kept. */
    Block relabelled(double[] labels);

    /** The same rows with this value in this column of the rows chosen. */
    Block with(IntPredicate rows, int column, double value);

    /** The same rows, in order, in parts that a cache holds between one product and the other. */
    default List<Block> parts() {
        return List.of(this);
    }

    /** out[j] = x_j . theta */
    void times(double[] theta, double[] out);

    /** into += sum over j of r[j] x_j, rows in order. */
    void addTransposed(double[] r, double[] into);

    /**
     * Returns the product of sum over j of w_j k(y_j) x_j x_j^T with a vector, a 1 appended to each x_j where the vector is
     * longer than a row has columns. The matrix is never formed.
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

    /** Copies row j to {@code into} at {@code offset}. */
    void copyRow(int j, double[] into, int offset);

    /** Tells the values of row j that are not zero, by ascending column. */
    void nonZeros(int j, Entry entry);

    /** Takes a value of a row. */
    @FunctionalInterface
    interface Entry {
        void accept(int column, double value);
    }

    /**
     * A copy of the rows, zeros and all, one after the other.
     *
     * @param otherwise what users can do where the rows are sparse and too many, as the end of a sentence
     * @throws holdfast.InputException when sparse rows would become more than {@value #MAX_FILLED} values
     */
    default double[] filled(String otherwise) {
        requireFillable(otherwise);
        double[] values = new double[rows() * columns()];
        for (int j = 0; j < rows(); j++) {
            copyRow(j, values, j * columns());
        }
        return values;
    }

    /** Refuses what {@link #filled} would, without filling. */
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
