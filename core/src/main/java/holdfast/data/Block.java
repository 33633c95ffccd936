package holdfast.data;

/**
 * Up to 256 rows x_j with labels y_j and weights w_j. Everything a linear model needs of its data are the two products;
 * both have a fixed order of operations. Vectors longer than {@link #columns()} (those with an intercept) are read and
 * written in their first {@code columns()} elements only.
 */
public interface Block {
    int rows();

    int columns();

    /** The labels, one per row; not to be written. */
    double[] labels();

    /** The weights, one per row, or null when all are 1; not to be written. */
    double[] weights();

    /** The same rows with other weights; the array is kept. */
    Block weighted(double[] weights);

    /** The same rows with other labels; the array is kept. */
    Block relabelled(double[] labels);

    /** out[j] = x_j . theta */
    void times(double[] theta, double[] out);

    /** into += sum over j of r[j] x_j, rows in order. */
    void addTransposed(double[] r, double[] into);

    /** Copies row j to {@code into} at {@code offset}. */
    void copyRow(int j, double[] into, int offset);
}
