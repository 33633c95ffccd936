package holdfast.data;

import holdfast.math.Kernels;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The rows x_j + sum over c of s_cj v_c, where x_j are the rows of another block: all move along the same few
 * directions v_c, each by its own lengths s_cj. The moved rows are never stored: X theta + s (v . theta) and X^T r + (s
 * . r) v need only s and v, so a moved sparse block stays sparse.
 */
public final class MovedBlock implements Block {
    private final Block base;
    private final double[] moves;
    private final double[] directions;
    private final double[] known;
    private final double[] along;
    private final int count;

    /**
     * Creates a block; the arrays are kept, not copied.
     *
     * @param moves s_c, one direction after the other
     * @param directions v_c, one after the other; anything after them, such as intercepts, is not read
     * @param along x_j . v_c of the rows before they move, laid out like the moves, if the caller has it, else null.
     *     The search for the worst case along theta computes exactly what the gradient at theta needs next
     */
    public MovedBlock(Block base, double[] moves, double[] directions, double[] along) {
        this(base, moves, directions, directions, along);
    }

    /**
     * Creates a block of rows that do not move along the directions in which their scores are known.
     *
     * @param known what the rows were multiplied by, laid out like the directions
     * @param along x_j . known_c of the rows before they move, or null
     */
    public MovedBlock(Block base, double[] moves, double[] directions, double[] known, double[] along) {
        this.base = base;
        this.moves = moves;
        this.directions = directions;
        this.known = known;
        this.along = along;
        this.count = moves.length / Math.max(1, base.rows());
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
        return new MovedBlock(base.weighted(weights), moves, directions, known, along);
    }

    @Override
    public Block relabelled(double[] labels) {
        return new MovedBlock(base.relabelled(labels), moves, directions, known, along);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        return stored().with(rows, column, value);
    }

    @Override
    public void times(double[] theta, double[] out) {
        int same = along == null ? -1 : whereKnown(theta);
        if (same >= 0) {
            System.arraycopy(along, same * rows(), out, 0, rows());
        } else {
            base.times(theta, out);
        }
        double[] rates = new double[count];
        Kernels.CHOSEN.times(directions, 0, count, columns(), theta, rates);
        Kernels.CHOSEN.addTransposed(moves, 0, count, rows(), rates, out);
    }

    private int whereKnown(double[] theta) {
        for (int c = 0; c < count; c++) {
            int from = c * columns();
            if (Arrays.equals(theta, 0, columns(), known, from, from + columns())) {
                return c;
            }
        }
        return -1;
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        base.addTransposed(r, into);
        double[] sums = new double[count];
        Kernels.CHOSEN.times(moves, 0, count, rows(), r, sums);
        Kernels.CHOSEN.addTransposed(directions, 0, count, columns(), sums, into);
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        base.copyRow(j, into, offset);
        for (int c = 0; c < count; c++) {
            for (int i = 0; i < columns(); i++) {
                into[offset + i] += moves[c * rows() + j] * directions[c * columns() + i];
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
