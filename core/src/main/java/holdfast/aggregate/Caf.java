package holdfast.aggregate;

import holdfast.math.Vectors;
import holdfast.theory.Proof;
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
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Allouah et al. 2025"));
    }
}
