package holdfast.aggregate;

import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** G = (1/m) sum g_i: no protection, one liar decides. The sum runs along the fixed tree of worker ids. */
public record Mean() implements Aggregator {
    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        return new Aggregate(of(round.votes()), round.voters(), Carry.NONE, "all kept");
    }

    @Override
    public int budget() {
        return 0;
    }

    @Override
    public int leastWorkers() {
        return 1;
    }

    /** The mean, finite whenever the vectors are. */
    public static double[] of(List<Vote> votes) {
        return of(votes, i -> 1, votes.size());
    }

    /**
     * sum w_i g_i / sum w_i, finite whenever the vectors are: near the largest double the terms are scaled by a power of
     * two.
     *
     * @param weights one per vote, from 0 to 1, not all 0
     */
    static double[] of(List<Vote> votes, double[] weights) {
        return of(votes, i -> weights[i], Vectors.sum(weights, weights.length));
    }

    /** (1/n) sum w_i g_i, for updates that are shortened before they are averaged; w_i from 0 to 1. */
    static double[] shortened(List<Vote> votes, double[] factors) {
        return of(votes, i -> factors[i], votes.size());
    }

    private static double[] of(List<Vote> votes, IntToDoubleFunction weight, double total) {
        double[] mean = of(votes, weight, total, 0);
        if (!Vectors.finite(mean)) {
            // Rounding can lead beyond the largest double where the mean itself does not.
            mean = Vectors.clamped(of(votes, weight, total, 32 - Integer.numberOfLeadingZeros(votes.size())));
        }
        return mean;
    }

    private static double[] of(List<Vote> votes, IntToDoubleFunction weight, double total, int exponent) {
        double[] sum = Tree.reduce(
                votes.size(),
                i -> Vectors.scaled(
                        Math.scalb(weight.applyAsDouble(i), -exponent),
                        votes.get(i).vector()),
                Vectors::add);
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Math.scalb(sum[i] / total, exponent);
        }
        return sum;
    }
}
