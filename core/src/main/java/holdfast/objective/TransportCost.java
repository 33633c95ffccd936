package holdfast.objective;

/**
 * What it costs to move a row from x to z: c(z, x) &gt;= 0, with c(x, x) = 0, convex and differentiable in z. The worst
 * case of a row maximises f(theta; z) - lambda c(z, x). Pure. A {@link MixedCost} is neither, and has a maximiser of its own.
 *
 * <p>Rows are ranges of arrays: the columns [from, from + columns) of z and x.
 */
public interface TransportCost {
    /** c(z, x) of one row. */
    double cost(double[] z, double[] x, int from, int columns);

    /** Puts grad_z c(z, x) of one row into the same range of out. */
    void gradient(double[] z, double[] x, int from, int columns, double[] out);

    /**
     * The largest m such that c(z, x) - (m/2)||z||^2 is convex in z; 0 if there is no larger one. f - lambda c is
     * strongly concave, and the worst case unique, if lambda m &gt; L_zz (Assumption 3).
     */
    double strongConvexity();

    /** A Lipschitz constant of grad_z c in z, by which the ascent chooses its steps. Infinite if there is none. */
    double smoothness();

    /** The formula, for users to read. */
    String description();
}
