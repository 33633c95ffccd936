package holdfast.theory;

import holdfast.data.Block;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import holdfast.model.Target;
import java.util.function.DoubleUnaryOperator;

/**
 * f(theta; z) = sum over i of h_i g(theta_i - z_i), a loss whose constants are known exactly: all four of Assumption 1
 * are max h_i sup |g''|. It is a sum over coordinates, so that worst cases, gradients and minima of F can be found by
 * one-dimensional searches, independently of the product.
 *
 * @param h one weight per coordinate
 * @param g the loss of a difference
 * @param slope g'
 * @param curvature sup |g''|
 * @param convex whether g is convex
 */
record DifferenceLoss(double[] h, DoubleUnaryOperator g, DoubleUnaryOperator slope, double curvature, boolean convex)
        implements Model {
    /** (1/2)(theta - z)^T H (theta - z). */
    static DifferenceLoss quadratic(double... h) {
        return new DifferenceLoss(h, v -> v * v / 2, v -> v, 1, true);
    }

    /** Quadratic near 0, with slope 1 far away. */
    static DifferenceLoss pseudoHuber(double... h) {
        return new DifferenceLoss(h, v -> Math.sqrt(1 + v * v) - 1, v -> v / Math.sqrt(1 + v * v), 1, true);
    }

    /** 0 up to a difference of 1, slope 1 from a difference of 2 on, a parabola between. */
    static DifferenceLoss indifferent(double... h) {
        return new DifferenceLoss(
                h,
                v -> {
                    double beyond = Math.max(0, Math.abs(v) - 1);
                    return beyond < 1 ? beyond * beyond / 2 : beyond - 0.5;
                },
                v -> Math.signum(v) * Math.min(1, Math.max(0, Math.abs(v) - 1)),
                1,
                true);
    }

    /** A parabola with waves that make it nonconvex: g'' = 1 + 2 cos(2v) goes from -1 to 3. */
    static DifferenceLoss waves(double... h) {
        return new DifferenceLoss(h, v -> v * v / 2 + (1 - Math.cos(2 * v)) / 2, v -> v + Math.sin(2 * v), 3, false);
    }

    boolean isQuadratic() {
        return convex && g.applyAsDouble(10) == 50;
    }

    double smoothness() {
        double most = 0;
        for (double weight : h) {
            most = Math.max(most, weight);
        }
        return most * curvature;
    }

    @Override
    public Smoothness smoothness(double[] theta, int features, double radius, double label) {
        double all = smoothness();
        return new Smoothness(all, all, all, all);
    }

    @Override
    public boolean convexInRows() {
        return convex;
    }

    @Override
    public Target target() {
        return Target.NUMBER;
    }

    @Override
    public int scoresPerRow() {
        return 1;
    }

    @Override
    public int parameters(int features) {
        return features;
    }

    @Override
    public void losses(double[] theta, Block block, double[] out) {
        double[] rows = block.filled("a test");
        for (int j = 0; j < block.rows(); j++) {
            out[j] = 0;
            for (int i = 0; i < h.length; i++) {
                out[j] += h[i] * g.applyAsDouble(theta[i] - rows[j * h.length + i]);
            }
        }
    }

    @Override
    public void addGradient(double[] theta, Block block, double[] gradient) {
        double[] rows = block.filled("a test");
        for (int j = 0; j < block.rows(); j++) {
            for (int i = 0; i < h.length; i++) {
                gradient[i] += h[i] * slope.applyAsDouble(theta[i] - rows[j * h.length + i]);
            }
        }
    }

    @Override
    public void gradientInRows(double[] theta, Block block, double[] out) {
        double[] rows = block.filled("a test");
        for (int at = 0; at < out.length && at < rows.length; at++) {
            int i = at % h.length;
            out[at] = -h[i] * slope.applyAsDouble(theta[i] - rows[at]);
        }
    }

    @Override
    public void scores(double[] theta, Block block, double[] out) {
        throw new UnsupportedOperationException("a difference has no score");
    }

    /** z_i*, where -h_i g'(theta_i - z) - lambda (z - x_i), which falls with z, is 0. */
    private double worst(int i, double theta, double x, double lambda) {
        double reach = 1;
        while (ascends(i, theta, x + reach, x, lambda) || !ascends(i, theta, x - reach, x, lambda)) {
            reach *= 2;
        }
        double low = x - reach;
        double high = x + reach;
        for (int step = 0; step < 100; step++) {
            double middle = (low + high) / 2;
            if (ascends(i, theta, middle, x, lambda)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    private boolean ascends(int i, double theta, double z, double x, double lambda) {
        return -h[i] * slope.applyAsDouble(theta - z) - lambda * (z - x) > 0;
    }

    /** phi_lambda in one coordinate. */
    double surrogate(int i, double theta, double x, double lambda) {
        double z = worst(i, theta, x, lambda);
        return h[i] * g.applyAsDouble(theta - z) - lambda / 2 * (z - x) * (z - x);
    }

    /** Its derivative in theta, eq. (4) of the paper. */
    double surrogateSlope(int i, double theta, double x, double lambda) {
        return h[i] * slope.applyAsDouble(theta - worst(i, theta, x, lambda));
    }
}
