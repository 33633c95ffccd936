package holdfast.data;

import holdfast.math.Vectors;

/**
 * The rows x_j + s_j v of another block, all moved along one direction v but by their own lengths s_j. Never stored as
 * rows: X theta + s (v . theta) and X^T r + (s . r) v need only s and v, so a moved sparse block stays sparse.
 */
public final class MovedBlock implements Block {
    private final Block base;
    private final double[] moves;
    private final double[] direction;
    private final double[] alongDirection;

    /**
     * @param alongDirection x_j . direction of the rows not yet moved if the caller has it, else null: whoever looks
     *     for the worst case along theta has computed exactly what the gradient at theta needs next
     */
    public MovedBlock(Block base, double[] moves, double[] direction, double[] alongDirection) {
        this.base = base;
        this.moves = moves;
        this.direction = direction;
        this.alongDirection = alongDirection;
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
        return new MovedBlock(base.weighted(weights), moves, direction, alongDirection);
    }

    @Override
    public Block relabelled(double[] labels) {
        return new MovedBlock(base.relabelled(labels), moves, direction, alongDirection);
    }

    @Override
    public void times(double[] theta, double[] out) {
        if (theta == direction && alongDirection != null) {
            System.arraycopy(alongDirection, 0, out, 0, rows());
        } else {
            base.times(theta, out);
        }
        Vectors.addScaled(out, Vectors.dot(direction, theta, columns()), moves, rows());
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        base.addTransposed(r, into);
        Vectors.addScaled(into, Vectors.dot(r, moves, rows()), direction, columns());
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        base.copyRow(j, into, offset);
        for (int i = 0; i < columns(); i++) {
            into[offset + i] += moves[j] * direction[i];
        }
    }
}
