package holdfast.worstcase;

import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;

/**
 * The iterates of {@link GradientAscent} for linear models, at O(d + T) instead of O(d T) per row: grad_z f is a multiple
 * of theta, so z = x + s theta throughout, and the ascent is {@code s <- s + eta_z (l'(u + s n) - lambda s)} with u =
 * theta . x + intercept and n = ||theta||^2. All rows of a block take each step together.
 */
public record ScalarRecurrence(LinearModel model, double lambda, double rate) implements InnerMaximiser {
    public ScalarRecurrence {
        Ascent.check(lambda, rate);
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int rows = block.rows();
        int d = block.columns();
        double n = Vectors.dot(theta, theta, d);
        double length = Math.sqrt(n);
        double[] along = new double[rows];
        block.times(theta, along);
        double[] labels = block.labels();
        double b = model.hasIntercept() ? theta[d] : 0;
        double[] s = new double[rows];
        double[] u = new double[rows];
        double[] slope = new double[rows];
        Ascent ascent =
                new Ascent(effort, lambda, model.smoothness(theta, d, 0, 0).zz());
        while (true) {
            predict(along, b, s, n, u);
            model.slopes(u, labels, slope, rows);
            if (ascent.stopsAt(() -> steepest(slope, s) * length)) {
                break;
            }
            step(s, slope);
        }
        return new WorstCase(
                new MovedBlock(block, s, theta, along), costs(s, n), ascent.precision(steepest(slope, s) * length));
    }

    /** u = along + b + s n. A method of its own, like the next: so the compiler makes vector loops of them. */
    private static void predict(double[] along, double b, double[] s, double n, double[] u) {
        for (int j = 0; j < u.length; j++) {
            u[j] = (along[j] + b) + s[j] * n;
        }
    }

    private void step(double[] s, double[] slope) {
        double eta = rate;
        double price = lambda;
        for (int j = 0; j < s.length; j++) {
            s[j] += eta * (slope[j] - price * s[j]);
        }
    }

    private double steepest(double[] slope, double[] s) {
        double most = 0;
        for (int j = 0; j < s.length; j++) {
            most = Math.max(most, Math.abs(slope[j] - lambda * s[j]));
        }
        return most;
    }

    static double[] costs(double[] s, double n) {
        double[] costs = new double[s.length];
        for (int j = 0; j < s.length; j++) {
            costs[j] = s[j] * s[j] * n / 2;
        }
        return costs;
    }
}
