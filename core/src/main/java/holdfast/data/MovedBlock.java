package holdfast.data;

import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The rows x_j + sum over c of s_cj v_c of another block, all moved along the same few directions v_c but by their own
 * lengths s_cj. Never stored as rows: X theta + s (v . theta) and X^T r + (s . r) v need only s and v, so a moved sparse
 * block stays sparse.
 */
public final class MovedBlock implements Block {
    private final Block base;
    private final double[][] moves;
    private final double[][] directions;
    private final double[][] along;

    /**
     * @param moves s_c, one array per direction
     * @param along x_j . v_c of the rows not yet moved, one array per direction, if the caller has it, else null: whoever
     *     looks for the worst case along theta has computed exactly what the gradient at theta needs next
     */
    public MovedBlock(Block base, double[][] moves, double[][] directions, double[][] along) {
        this.base = base;
        this.moves = moves;
        this.directions = directions;
        this.along = along;
    }

    /** All rows moved along one direction. */
    public MovedBlock(Block base, double[] moves, double[] direction, double[] along) {
        this(base, new double[][] {moves}, new double[][] {direction}, along == null ? null : new double[][] {along});
    }

    @Override
    public boolean sparse() {
        return base.sparse();
    }

    @Override
    public int rows() {
        return base.rows();
    }

    @Override
    public int columns() {
        return base.columns();
    }

    @Override
    public double[] labels() {
        return base.labels();
    }

    @Override
    public double[] weights() {
        return base.weights();
    }

    @Override
    public Block weighted(double[] weights) {
        return new MovedBlock(base.weighted(weights), moves, directions, along);
    }

    @Override
    public Block relabelled(double[] labels) {
        return new MovedBlock(base.relabelled(labels), moves, directions, along);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        return stored().with(rows, column, value);
    }

    @Override
    public void times(double[] theta, double[] out) {
        int known = along == null ? -1 : directionOf(theta);
        if (known >= 0) {
            System.arraycopy(along[known], 0, out, 0, rows());
        } else {
            base.times(theta, out);
        }
        for (int c = 0; c < directions.length; c++) {
            Vectors.addScaled(out, Vectors.dot(directions[c], theta, columns()), moves[c], rows());
        }
    }

    private int directionOf(double[] theta) {
        for (int c = 0; c < directions.length; c++) {
            if (Arrays.equals(theta, 0, columns(), directions[c], 0, columns())) {
                return c;
            }
        }
        return -1;
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        base.addTransposed(r, into);
        for (int c = 0; c < directions.length; c++) {
            Vectors.addScaled(into, Vectors.dot(r, moves[c], rows()), directions[c], columns());
        }
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        base.copyRow(j, into, offset);
        for (int c = 0; c < directions.length; c++) {
            for (int i = 0; i < columns(); i++) {
                into[offset + i] += moves[c][j] * directions[c][i];
            }
        }
    }

    @Override
    public void nonZeros(int j, Entry entry) {
        double[] x = new double[columns()];
        copyRow(j, x, 0);
        new DenseBlock(x.length, x, new double[1], null).nonZeros(0, entry);
    }

    private Block stored() {
        return new DenseBlock(columns(), filled("change the rows before they are moved"), labels(), weights());
    }
}
