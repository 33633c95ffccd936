package holdfast.model;

import holdfast.data.Block;
import holdfast.math.Scratch;
import holdfast.math.Vectors;

/**
 * A model that sees its data through one number: f(theta; x, y) = l(u; y), convex in u = theta . x (+ intercept).
 * Subclasses give l, its slope l' and the worst move along theta.
 *
 * <p>With ||theta|| = R, rows no longer than Z (after perturbation), sqrt(Z^2 + 1) instead of Z when there is an
 * intercept, and |l'| &lt;= S, l'' &lt;= K on the scores that are then possible: L_zz = K R^2, L_theta,theta = K Z^2,
 * L_theta,z = L_z,theta = S + K Z R.
 */
public abstract class LinearModel implements LinearScores {
    private final boolean intercept;

    protected LinearModel(boolean intercept) {
        this.intercept = intercept;
    }

    /** l(u; y) */
    protected abstract double loss(double u, double label);

    @Override
    public abstract void slopes(double[] u, double[] labels, double[] out, int n);

    /** out[j] = l''(u[j]; y[j]) for j &lt; n; {@code u} is used up, and {@code out} must be another array. */
    public abstract void curvatures(double[] u, double[] labels, double[] out, int n);

    /**
     * Returns the move s that maximises l(u + s n; y) - lambda s^2 n / 2: the worst case of a row that moves by s
     * theta, where n is the squared length of theta's features. It is the global maximum, even if the problem is not
     * concave.
     */
    public abstract Move worstMove(double u, double label, double n, double lambda);

    /**
     * Puts the worst moves of rows into s. They equal those of {@link #worstMove} up to the width of the brackets, and
     * a row's move does not depend on the other rows.
     *
     * @param u left unchanged
     * @param scratch its first array is the caller's
     * @return the widest bracket
     */
    public double worstMoves(
            double[] u, double[] labels, double n, double lambda, double[] s, int rows, Scratch scratch) {
        double widest = 0;
        for (int j = 0; j < rows; j++) {
            Move move = worstMove(u[j], labels[j], n, lambda);
            s[j] = move.length();
            widest = Math.max(widest, move.bracket());
        }
        return widest;
    }

    /** A move and the width of the bracket that is known to hold the exact one. */
    public record Move(double length, double bracket) {
        /** Makes a move known in closed form, up to the rounding of a few operations. */
        public static Move rounded(double length) {
            return new Move(length, 4 * Math.ulp(length));
        }
    }

    @Override
    public final boolean hasIntercept() {
        return intercept;
    }

    @Override
    public final int scoresPerRow() {
        return 1;
    }

    @Override
    public final void scores(double[] theta, Block block, double[] out) {
        block.times(theta, out);
        if (intercept) {
            double b = theta[block.columns()];
            for (int j = 0; j < block.rows(); j++) {
                out[j] += b;
            }
        }
    }

    @Override
    public final void losses(double[] theta, Block block, double[] out) {
        scores(theta, block, out);
        scoreLosses(out, block.labels(), out, block.rows());
    }

    @Override
    public final void scoreLosses(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = loss(u[j], labels[j]);
        }
    }

    @Override
    public final void bend(double[] u, double[] labels, double[] t, int n) {
        double[] k = new double[n];
        curvatures(u, labels, k, n);
        for (int j = 0; j < n; j++) {
            t[j] *= k[j];
        }
    }

    @Override
    public final void addGradient(double[] theta, Block block, double[] gradient) {
        int n = block.rows();
        double[] u = new double[n];
        scores(theta, block, u);
        double[] r = new double[n];
        slopes(u, block.labels(), r, n);
        double[] weights = block.weights();
        if (weights != null) {
            for (int j = 0; j < n; j++) {
                r[j] *= weights[j];
            }
        }
        block.addTransposed(r, gradient);
        if (intercept) {
            gradient[block.columns()] += Vectors.sum(r, n);
        }
    }

    @Override
    public final void gradientInRows(double[] theta, Block block, double[] out) {
        int d = block.columns();
        double[] u = new double[block.rows()];
        scores(theta, block, u);
        double[] r = new double[block.rows()];
        slopes(u, block.labels(), r, block.rows());
        for (int j = 0; j < block.rows(); j++) {
            for (int i = 0; i < d; i++) {
                out[j * d + i] = r[j] * theta[i];
            }
        }
    }

    @Override
    public final Curvature curvature(double[] theta, Block block) {
        int n = block.rows();
        double[] u = new double[n];
        scores(theta, block, u);
        double[] k = new double[n];
        curvatures(u, block.labels(), k, n);
        double[] weights = block.weights();
        for (int j = 0; weights != null && j < n; j++) {
            k[j] *= weights[j];
        }
        Block bent = block.weighted(k);
        return (v, out) -> Vectors.add(out, bent.timesSecondMoment(label -> 1, v));
    }

    @Override
    public final Smoothness smoothness(double[] theta, int features, double radius, double label) {
        double r = Vectors.norm(theta, features);
        // With an intercept the model sees rows (x, 1).
        double z = Math.sqrt(radius * radius + (intercept ? 1 : 0));
        double reach = r * radius + (intercept ? Math.abs(theta[features]) : 0);
        double k = curvatureBound(reach, label);
        double cross = slopeBound(reach, label) + z * r * k;
        return new Smoothness(k * z * z, cross, cross, k * r * r);
    }
}
