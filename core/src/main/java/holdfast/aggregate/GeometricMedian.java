package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The geometric median, argmin over z of sum ||z - x_i||, by Weiszfeld's iteration (1937), smoothed as in RFA
 * (Pillutla, Kakade, Harchaoui 2022): z_0 = 0, z_(t+1) = sum w_i x_i / sum w_i with w_i = 1 / max(nu, ||x_i - z_t||).
 * As long as liars are a minority, ||z|| &lt;= 2 (n-f)/(n-2f) times the longest honest update.
 *
 * <p>The exact point's kappa is 4 ((m-f)/(m-2f))^2: sum ||z - x_i|| &lt;= sum ||g - x_i|| over all, and a liar's distances
 * to z and g differ by at most ||z - g||, so (m-2f) ||z - g|| &lt;= 2 sum over H of ||x_i - g|| &lt;= 2 (m-f) r. The
 * iteration approaches that point, but slowly if liars are almost half: f of them at z_0 hold z back, and its distance
 * from them grows by the factor (m-f)/f per step. Of 101 workers, 50 liars at 0 keep the direction near 0 for all 200
 * steps.
 *
 * @param nu distances below it count as nu
 * @param steps maximum number of iterations; the iteration ends early when a step changes nothing
 */
public record GeometricMedian(int tolerated, double nu, int steps) implements Aggregator {
    static final double NU = 1e-6;
    static final int STEPS = 200;

    /**
     * With fewer liars than this share, the distance from liars at z_0 grows 10^9-fold in half of the steps, from nu to the
     * length of any usual update, and what is left to the honest ones shrinks as much in the other half.
     */
    private static final double SHARE = 1 / (1 + Math.pow(1e18, 1.0 / STEPS));

    public GeometricMedian {
        Aggregator.checkTolerated("geometric-median", tolerated);
        Check.that(nu > 0 && Double.isFinite(nu), "geometric-median: nu must be finite and > 0, got %s", nu);
        Check.that(steps >= 1, "geometric-median: steps must be >= 1, got %d", steps);
    }

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        List<WorkerUpdate> updates = round.updates();
        double[] z = new double[updates.get(0).vector().length];
        Distances.Far far = Distances.from(z, round);
        for (int t = 0; t < steps; t++) {
            Distances.Approach approach = new Distances.Approach(round, z.length);
            double[] next = Mean.of(updates, weights(far.values(), nu / far.unit()), round.threads(), approach::add);
            if (Arrays.equals(next, z)) {
                break;
            }
            z = next;
            far = approach.far(z);
        }
        int last = 0;
        for (int i = 1; i < updates.size(); i++) {
            last = far.values()[i] > far.values()[last] ? i : last;
        }
        return new Aggregate(
                z,
                round.senders(),
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "farthest worker %d, distance %.4g",
                        updates.get(last).worker(),
                        far.values()[last] * far.unit()));
    }

    /** 1 / max(nu, distance), times a constant that makes the largest 1. */
    private static double[] weights(double[] distances, double nu) {
        double least = Math.max(nu, Arrays.stream(distances).min().orElseThrow());
        return Arrays.stream(distances).map(x -> least / Math.max(nu, x)).toArray();
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        double share = (workers - tolerated) / (workers - 2.0 * tolerated);
        return proof(workers).filter(Proof::holds).isPresent()
                ? Robustness.ofKappa(
                        4 * share * share,
                        "4 ((m-f)/(m-2f))^2 for f < 0.448 m, for which 200 steps suffice",
                        "Allouah et al. 2023")
                : Robustness.none(
                        "kappa only for f < 0.448 m and the default nu and steps", "aggregate.GeometricMedian");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return nu == NU && steps == STEPS
                ? Optional.of(Proof.below(SHARE, tolerated, workers, "Chen, Su, Xu 2017; 200 steps suffice"))
                : Optional.empty();
    }
}
