package holdfast.worstcase;

import holdfast.math.Scratch;
import holdfast.model.LinearModel;
import java.util.Arrays;

/**
 * The iterates of {@link GradientAscent} for linear models, at O(d + T) instead of O(d T) per row: grad_z f is a multiple
 * of theta, so z = x + s theta throughout, and the ascent is {@code s <- s + eta_z (l'(u + s n) - lambda s)} with u =
 * theta . x + intercept and n = ||theta||^2. All rows of a block take each step together.
 */
public record ScalarRecurrence(LinearModel model, double lambda, double rate) implements AlongTheta {
    public ScalarRecurrence {
        Ascent.check(lambda, rate);
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
        Arrays.fill(s, 0, rows, 0);
        Ascent ascent = new Ascent(effort, lambda, line.zz());
        while (true) {
            predict(along, line.intercept(), s, line.squared(), u, rows);
            model.slopes(u, labels, slope, rows);
            if (ascent.stopsAt(() -> steepest(slope, s, rows) * line.length())) {
                return ascent.precision(steepest(slope, s, rows) * line.length());
            }
            step(s, slope, rows);
        }
    }

    /** u = along + b + s n. A method of its own, like the next: so the compiler makes vector loops of them. */
    private static void predict(double[] along, double b, double[] s, double n, double[] u, int rows) {
        for (int j = 0; j < rows; j++) {
            u[j] = (along[j] + b) + s[j] * n;
        }
    }

    private void step(double[] s, double[] slope, int rows) {
        double eta = rate;
        double price = lambda;
        for (int j = 0; j < rows; j++) {
            s[j] += eta * (slope[j] - price * s[j]);
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
