package holdfast.aggregate;

import holdfast.Check;
import holdfast.math.Vectors;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Iterative filtering (Su, Xu 2018, after Steinhardt, Charikar, Valiant 2018). Weights c_i start at 1. While the top
 * eigenvalue of the weighted covariance exceeds sigma^2, c_i is replaced by c_i (1 - tau_i / max tau), tau_i = &lt;v,
 * g_i - mean&gt;^2 for its eigenvector v. Updates with at most half the largest weight are dropped; the direction is
 * the mean of the others.
 *
 * <p>Su and Xu take the direction from a saddle point over centres and directions, stop at a multiple of sigma^2 and
 * drop weights up to 1/2; this rule uses the covariance's own eigenvector, sigma^2 itself and half of the largest
 * weight, which always leaves some update.
 *
 * <p>The rule stops before a step that would bring the total weight removed to 2f. As long as liars spread more than
 * the honest they lose more weight, so less than 2f is removed; beyond that, sigma is too small for the honest updates
 * themselves. So some update is always left, and f &lt; n/2 liars cannot move the direction without bound.
 *
 * <p>Its kappa for sigma = 0, with h = m - f, q = m - 2f, c = h/q. Both medians are those of a majority, so sigma &lt;=
 * 2c r as for {@link Median}. Up to the step t of {@link Caf}'s proof the rule filters as Caf does. If it ends there or
 * before, its eigenvalue l is at most max(sigma^2, 2c r^2) and the weighted mean is within sqrt(f/q (r^2 + l)) of g; if
 * later, l &lt;= (m/q) 2c r^2, since removing weight only lowers the sum of squares, and the mean is as near as Caf's.
 * In either case l &lt;= (2c r)^2, and the weighted mean is within 4c sqrt(f/q) r. The mean of the k updates that are not
 * dropped is within sqrt((1 + m/k) l) of it, as each of them has at least 1/(m+k) of the weight, and k &gt;= max(1, m-4f).
 *
 * @param sigma how far the honest may spread in any direction; 0: estimated from the updates, sigma^2 = the median over
 *     the updates of the squared distance to their coordinate-wise median
 */
public record IterativeFiltering(int tolerated, double sigma) implements Aggregator {
    public IterativeFiltering {
        Aggregator.checkTolerated("iterative-filtering", tolerated);
        Check.that(
                sigma >= 0 && Double.isFinite(sigma),
                "iterative-filtering: sigma must be finite and >= 0, got %s",
                sigma);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        List<WorkerUpdate> updates = round.updates();
        int n = updates.size();
        Distances distances = Distances.among(round);
        double limit = sigma > 0 ? sigma / distances.unit() : typicalDistance(round);
        double[] weights = new double[n];
        Arrays.fill(weights, 1);
        double[][] matrix = distances.matrix();
        Spread spread = Spread.of(matrix, weights);
        while (spread.deviation() > limit) {
            double[] filtered = spread.filtered(weights);
            if (!(Vectors.sum(filtered, n) > n - 2 * lies)) {
                break;
            }
            weights = filtered;
            spread = Spread.of(matrix, weights);
        }
        double[] last = weights;
        double half = Vectors.maxAbs(last, n) / 2;
        List<WorkerUpdate> kept = IntStream.range(0, n)
                .filter(i -> last[i] > half)
                .mapToObj(updates::get)
                .toList();
        int[] ids = kept.stream().mapToInt(WorkerUpdate::worker).toArray();
        return new Aggregate(
                Mean.of(kept, round.threads()),
                ids,
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "dropped %s: deviation now %.4g, sigma %.4g",
                        Arrays.toString(round.sendersBut(ids)),
                        spread.deviation() * distances.unit(),
                        limit * distances.unit()));
    }

    /**
     * Returns the median distance to the coordinate-wise median. Both are upper medians, so a majority of honest
     * updates bounds them.
     */
    private static double typicalDistance(Round round) {
        double[] median = Coordinates.of(round.updates(), round.threads(), IterativeFiltering::upperMedian);
        double[] far = Distances.from(median, round).values();
        Arrays.sort(far);
        return upperMedian(far);
    }

    private static double upperMedian(double[] ascending) {
        return ascending[ascending.length / 2];
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        double q = workers - 2.0 * tolerated;
        double c = (workers - tolerated) / q;
        double root = Math.sqrt(1 + workers / Math.max(1, workers - 4.0 * tolerated)) + 2 * Math.sqrt(tolerated / q);
        return sigma > 0
                ? Robustness.none(
                        "no kappa for a given sigma: lies within sigma move G even from equal honest updates",
                        "aggregate.IterativeFiltering")
                : Robustness.ofKappa(
                        tolerated == 0 ? 0 : 4 * c * c * root * root,
                        "4 c^2 (sqrt(1 + m/max(1, m-4f)) + 2 sqrt(f/(m-2f)))^2, c = (m-f)/(m-2f); 0 for f = 0",
                        "aggregate.IterativeFiltering");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return sigma > 0
                ? Optional.empty()
                : Optional.of(Proof.below(0.5, tolerated, workers, "aggregate.IterativeFiltering"));
    }
}
