package holdfast.aggregate;

import holdfast.Check;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.theory.Robustness;
import java.util.ArrayList;
import java.util.List;

/**
 * Centred clipping (Karimireddy, He, Jaggi 2021): starts from last round's direction v, zero at first, and repeats
 * {@code steps} times v += (1/n) sum (x_i - v) min(1, tau/||x_i - v||). In one step f liars move v by at most f tau/n.
 *
 * <p>For every S, with D = ||v - S|| before and Delta = max over honest i of ||x_i - S||, after one step ||v - S|| &lt;= Delta
 * + max(0, D - tau) + f/m (D + tau): v becomes the mean of the projections on the ball of radius tau around it, an honest
 * one is within Delta of the projection of S, and a lie's is within D + tau of S.
 */
public record CenteredClipping(int tolerated, double tau, int steps) implements Aggregator {
    public CenteredClipping {
        Aggregator.checkTolerated("centered-clipping", tolerated);
        Check.that(tau > 0 && Double.isFinite(tau), "centered-clipping: tau must be finite and > 0, got %s", tau);
        Check.that(steps >= 1, "centered-clipping: steps must be >= 1, got %d", steps);
    }

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        List<WorkerUpdate> updates = round.updates();
        int n = updates.size();
        int length = updates.get(0).vector().length;
        double[] carried = round.carry().values();
        double[] v = carried.length == 0 ? new double[length] : carried.clone();
        Check.that(v.length == length, "centered-clipping: carries %d numbers, updates have %d", v.length, length);
        List<Integer> clipped = new ArrayList<>();
        Distances.Far far = Distances.from(v, round);
        for (int step = 1; step <= steps; step++) {
            clipped.clear();
            double[] weights = new double[n];
            for (int i = 0; i < n; i++) {
                double factor = tau / far.values()[i];
                if (factor < far.unit()) {
                    clipped.add(updates.get(i).worker());
                }
                weights[i] = Math.min(far.unit(), factor) / n;
            }
            Distances.Approach next = step < steps ? new Distances.Approach(round, length) : null;
            Tree.sum(new double[][] {v}, n, round.threads(), new Step(updates, v, weights, 1 / far.unit(), next));
            far = next == null ? far : next.far(v);
        }
        return new Aggregate(
                v,
                round.senders(),
                new Carry(v.clone()),
                clipped.isEmpty() ? "none clipped" : "clipped " + clipped + " to " + tau);
    }

    /**
     * Computes v += sum w_i (x_i - v), one piece of v after the other.
     *
     * @param scale 1 over the unit of the distances
     * @param next measures distances from the new v; null if they are not needed
     */
    private record Step(List<WorkerUpdate> updates, double[] v, double[] weights, double scale, Distances.Approach next)
            implements Tree.Terms {
        @Override
        public void write(int sum, int i, int from, double[] out) {
            double[] x = updates.get(i).vector();
            double[] centre = v;
            double weight = weights[i];
            double s = scale;
            for (int k = 0; k < out.length; k++) {
                out[k] = weight * (x[from + k] * s - centre[from + k] * s);
            }
        }

        @Override
        public void put(double[] piece, double[] sum, int from) {
            for (int k = 0; k < piece.length; k++) {
                piece[k] += sum[from + k];
            }
            // Near the largest double, rounding could overflow.
            double[] moved = Vectors.finite(piece) ? piece : Vectors.clamped(piece);
            System.arraycopy(moved, 0, sum, from, moved.length);
            if (next != null) {
                next.add(sum, from);
            }
        }
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.none(
                "||G - S|| <= Delta + max(0, D - tau) + f/m (D + tau) per step from v, D = ||v - S||; no kappa: lies"
                        + " within tau move G even from equal honest updates",
                "aggregate.CenteredClipping");
    }
}
