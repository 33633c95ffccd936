package holdfast.math;

import holdfast.Check;

/**
 * A view of a matrix in an array: element (i, j) is values[from + i rowStep + j columnStep]. The array is kept, not
 * copied.
 */
public record Matrix(double[] values, int from, int rows, int columns, int rowStep, int columnStep) {
    public Matrix {
        Check.that(
                rows >= 0
                        && columns >= 0
                        && from >= 0
                        && (rows == 0
                                || columns == 0
                                || from + (rows - 1L) * rowStep + (columns - 1L) * columnStep < values.length),
                "a matrix of %d rows and %d columns does not fit in %d values from %d",
                rows,
                columns,
                values.length,
                from);
    }

    /** A matrix with its rows one after the other from values[from]. */
    public static Matrix of(double[] values, int from, int rows, int columns) {
        return new Matrix(values, from, rows, columns, columns, 1);
    }

    /** The same numbers with rows and columns exchanged. */
    public Matrix transposed() {
        return new Matrix(values, from, columns, rows, columnStep, rowStep);
    }

    double get(int i, int j) {
        return values[from + i * rowStep + j * columnStep];
    }

    /** Writes the elements, row after row, into {@code out}. */
    public void copyInto(double[] out) {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                out[i * columns + j] = get(i, j);
            }
        }
    }

    /**
     * this += a b, for each element the products in order after what is there: ((this + a_i0 b_0j) + a_i1 b_1j) + ...
     * So a row of the result depends on no other row, and a term that is zero may be left out. Rows of this and of b
     * must be contiguous; this must share no element with a or b.
     */
    public void addProduct(Matrix a, Matrix b) {
        Check.that(
                a.rows == rows && a.columns == b.rows && b.columns == columns,
                "%d x %d times %d x %d is not %d x %d",
                a.rows,
                a.columns,
                b.rows,
                b.columns,
                rows,
                columns);
        Check.that(
                columnStep == 1 && b.columnStep == 1, "rows of a product and of its second factor must be contiguous");
        Kernels.CHOSEN.addProduct(a, b, this);
    }

    /** Row i of this += factor times row k of another matrix with as many columns; rows must be contiguous. */
    public void addRow(int i, double factor, Matrix other, int k) {
        int to = from + i * rowStep;
        int at = other.from + k * other.rowStep;
        for (int j = 0; j < columns; j++) {
            values[to + j] += factor * other.values[at + j];
        }
    }
}
