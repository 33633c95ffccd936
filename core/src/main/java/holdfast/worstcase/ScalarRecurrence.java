package holdfast.worstcase;

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
    public double moves(Line line, double[] along, double[] labels, Effort effort, double[] s, int rows) {
        double[] u = new double[rows];
        double[] slope = new double[rows];
        Arrays.fill(s, 0, rows, 0);
        Ascent ascent = new Ascent(effort, lambda, line.zz());
        while (true) {
            predict(along, line.intercept(), s, line.squared(), u);
            model.slopes(u, labels, slope, rows);
            if (ascent.stopsAt(() -> steepest(slope, s) * line.length())) {
                return ascent.precision(steepest(slope, s) * line.length());
            }
            step(s, slope);
        }
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
        for (int j = 0; j < slope.length; j++) {
            s[j] += eta * (slope[j] - price * s[j]);
        }
    }

    private double steepest(double[] slope, double[] s) {
        double most = 0;
        for (int j = 0; j < slope.length; j++) {
            most = Math.max(most, Math.abs(slope[j] - lambda * s[j]));
        }
        return most;
    }
}
