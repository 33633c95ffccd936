package holdfast.aggregate;

import holdfast.Check;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.List;

/**
 * Centred clipping (Karimireddy, He, Jaggi 2021): from last round's direction v, zero at first, {@code steps} times v +=
 * (1/n) sum (x_i - v) min(1, tau/||x_i - v||). In one step f liars move v by at most f tau/n.
 */
public record CenteredClipping(int f, double tau, int steps) implements Aggregator {
    public CenteredClipping {
        Aggregator.checkBudget("centered-clipping", f);
        Check.that(tau > 0 && Double.isFinite(tau), "centered-clipping: tau must be finite and > 0, got %s", tau);
        Check.that(steps >= 1, "centered-clipping: steps must be >= 1, got %d", steps);
    }

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        List<Vote> votes = round.votes();
        int n = votes.size();
        int length = votes.get(0).vector().length;
        double[] carried = round.carry().values();
        double[] v = carried.length == 0 ? new double[length] : carried.clone();
        Check.that(v.length == length, "centered-clipping: carries %d numbers, updates have %d", v.length, length);
        List<Integer> clipped = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            clipped.clear();
            Distances.Far far = Distances.from(v, round);
            double scale = 1 / far.unit();
            double[] weights = new double[n];
            for (int i = 0; i < n; i++) {
                double factor = tau / far.values()[i];
                if (factor < far.unit()) {
                    clipped.add(votes.get(i).worker());
                }
                weights[i] = Math.min(far.unit(), factor) / n;
            }
            double[][] mean = new double[1][length];
            Tree.sum(mean, n, round.threads(), (sum, i, from, out) -> {
                double[] x = votes.get(i).vector();
                for (int k = 0; k < out.length; k++) {
                    out[k] = weights[i] * (x[from + k] * scale - v[from + k] * scale);
                }
            });
            for (int k = 0; k < length; k++) {
                // Among values near the largest double rounding could lead beyond it.
                v[k] = Vectors.clamped(v[k] + mean[0][k]);
            }
        }
        return new Aggregate(
                v,
                round.voters(),
                new Carry(v.clone()),
                clipped.isEmpty() ? "none clipped" : "clipped " + clipped + " to " + tau);
    }

    @Override
    public int budget() {
        return f;
    }

    @Override
    public int leastWorkers() {
        return 2 * f + 1;
    }
}
