package holdfast.aggregate;

import holdfast.math.Vectors;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Covariance-bound agnostic filter (Allouah, Guerraoui, Stephan 2025). Weights c_i start at 1. While sum c_i &gt; n -
 * 2f, it computes the weighted mean and the dominant pair (l, v) of the weighted covariance, and replaces c_i by c_i (1
 * - tau_i / max tau), tau_i = &lt;v, g_i - mean&gt;^2. The direction is the mean that had the smallest l, so no bound
 * on the honest spread has to be known. If f = 0, it is the mean of all.
 *
 * <p>Its kappa, with h = m - f, q = m - 2f and l_H &lt;= r^2 the honest updates' own top eigenvalue: let t be the first
 * step in which the honest lose at least as much weight as the liars; without one, l becomes 0 before the end.
 *
 * <ol>
 *   <li>Before t the honest lost less than the liars. Let A be the weight that the honest still have, B the liars': A - B
 *       &gt;= q. Let T be the liars' part of (A + B) l = sum c_i tau_i. The honest part is at most h l_H + (B/A) T, since
 *       the means of the two lie on both sides of the common one. If it is at least T, then T &lt;= h l_H A/(A - B), so l
 *       &lt;= 2h l_H A/(A^2 - B^2) &lt;= 2 (h/q) l_H.
 *   <li>The weighted mean at t is within sqrt(f/q (l_H + l)) of g: the weight that the honest lost and the weight that the
 *       liars have, together at most f, each moved it as in {@link Robustness}.
 *   <li>A later mean with a smaller l has more than q of the weight and is within sqrt(2f/q l) of the mean at t.
 * </ol>
 */
public record Caf(int tolerated) implements Aggregator {
    public Caf {
        Aggregator.checkTolerated("caf", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        List<WorkerUpdate> updates = round.updates();
        int n = updates.size();
        double[] weights = new double[n];
        Arrays.fill(weights, 1);
        if (lies == 0) {
            return new Aggregate(Mean.of(updates, round.threads()), round.senders(), Carry.NONE, "all kept");
        }
        Distances distances = Distances.among(round);
        double[][] matrix = distances.matrix();
        Spread first = Spread.of(matrix, weights);
        Spread spread = first;
        Spread best = first;
        double[] bestWeights = weights;
        while (spread.deviation() > 0) {
            weights = spread.filtered(weights);
            if (!(Vectors.sum(weights, n) > n - 2 * lies)) {
                break;
            }
            spread = Spread.of(matrix, weights);
            if (spread.deviation() < best.deviation()) {
                best = spread;
                bestWeights = weights;
            }
        }
        double[] chosen = bestWeights;
        int[] kept = IntStream.range(0, n)
                .filter(i -> chosen[i] > 0)
                .map(i -> updates.get(i).worker())
                .toArray();
        return new Aggregate(
                Mean.of(updates, chosen, round.threads()),
                kept,
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "weight 0 for %s, %.4g of %d left: deviation %.4g, %.4g of all",
                        Arrays.toString(round.sendersBut(kept)),
                        Vectors.sum(chosen, n),
                        n,
                        best.deviation() * distances.unit(),
                        first.deviation() * distances.unit()));
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        double q = workers - 2.0 * tolerated;
        double c = (workers - tolerated) / q;
        double root = 2 * Math.sqrt(c) + Math.sqrt(1 + 2 * c);
        return Robustness.ofKappa(
                tolerated / q * root * root, "f/(m-2f) (2 sqrt(c) + sqrt(1+2c))^2, c = (m-f)/(m-2f)", "aggregate.Caf");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Allouah et al. 2025"));
    }
}
