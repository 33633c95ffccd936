package holdfast.model;

import holdfast.data.Block;
import holdfast.math.Vectors;

/**
 * A model that sees its data through one number: f(theta; x, y) = l(u; y) with u = theta . x (+ intercept). Subclasses
 * give l, its slope l' and the worst move along theta.
 */
public abstract class LinearModel implements Model {
    private final boolean intercept;

    protected LinearModel(boolean intercept) {
        this.intercept = intercept;
    }

    /** l(u; y) */
    protected abstract double loss(double u, double label);

    /** out[j] = l'(u[j]; y[j]) for j &lt; n; {@code u} is used up, and {@code out} must be another array. */
    public abstract void slopes(double[] u, double[] labels, double[] out, int n);

    /** out[j] = l''(u[j]; y[j]) for j &lt; n; {@code u} is used up, and {@code out} must be another array. */
    public abstract void curvatures(double[] u, double[] labels, double[] out, int n);

    /**
     * The move s that maximises l(u + s n; y) - lambda s^2 n / 2, the worst case of a row that moves by s theta when n
     * is the squared length of theta's features. The global maximum, also where the problem is not concave.
     */
    public abstract Move worstMove(double u, double label, double n, double lambda);

    /** A move and the width of the bracket that is known to hold the exact one. */
    public record Move(double length, double bracket) {}

    public final boolean hasIntercept() {
        return intercept;
    }

    @Override
    public final int parameters(int features) {
        return intercept ? features + 1 : features;
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
    public final double loss(double[] theta, Block block) {
        int n = block.rows();
        double[] u = new double[n];
        scores(theta, block, u);
        double[] labels = block.labels();
        double[] weights = block.weights();
        for (int j = 0; j < n; j++) {
            double loss = loss(u[j], labels[j]);
            u[j] = weights == null ? loss : weights[j] * loss;
        }
        return Vectors.sum(u, n);
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
}
