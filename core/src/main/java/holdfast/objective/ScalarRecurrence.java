package holdfast.objective;

import holdfast.math.Scratch;
import holdfast.model.LinearModel;

/**
 * The iterates of {@link GradientAscent} for linear models, at O(d + T) instead of O(d T) per row: grad_z f is a
 * multiple of theta, so z = x + s A^-1 theta throughout, and the ascent is {@code s <- s + eta_z (l'(u + s n) - lambda s)}
 * with u = theta . x + intercept and n = theta . A^-1 theta; ||theta||^2 where all prices are 1. All rows of a block take
 * each step together.
 */
public record ScalarRecurrence(LinearModel model, double lambda, double rate, WeightedL2 cost) implements AlongTheta {
    public ScalarRecurrence {
        Ascent.check(lambda, rate);
    }

    /** With the paper's cost. */
    public ScalarRecurrence(LinearModel model, double lambda, double rate) {
        this(model, lambda, rate, WeightedL2.EQUAL);
    }

    @Override
    public boolean rowByRow(Effort effort) {
        return effort instanceof Effort.Steps;
    }

    @Override
    public double moves(
            Line line, double[] along, double[] labels, Effort effort, double[] s, int rows, Scratch scratch) {
        double[] u = scratch.array(0, rows);
        double[] slope = scratch.array(1, rows);
        double[] scores = scratch.array(2, rows);
        for (int j = 0; j < rows; j++) {
            s[j] = 0;
            scores[j] = along[j] + line.intercept();
            u[j] = scores[j];
        }
        Ascent ascent = new Ascent(effort, lambda, lambda - line.zz());
        while (!ascent.endsUncertified()) {
            model.slopes(u, labels, slope, rows);
            if (ascent.stopsAt(() -> steepest(slope, s, rows) * line.length())) {
                return ascent.precision(steepest(slope, s, rows) * line.length());
            }
            step(lambda, rate, slope, s, scores, line.squared(), u, rows);
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * Takes one step in s and computes u = scores + s n. A separate method, so that the compiler vectorises the loop.
     */
    private static void step(
            double price, double eta, double[] slope, double[] s, double[] scores, double n, double[] u, int rows) {
        for (int j = 0; j < rows; j++) {
            double next = s[j] + eta * (slope[j] - price * s[j]);
            s[j] = next;
            u[j] = scores[j] + next * n;
        }
    }

    private double steepest(double[] slope, double[] s, int rows) {
        double most = 0;
        for (int j = 0; j < rows; j++) {
            most = Math.max(most, Math.abs(slope[j] - lambda * s[j]));
        }
        return most;
    }
}
