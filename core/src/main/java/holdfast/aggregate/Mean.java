package holdfast.aggregate;

import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.List;

/** G = (1/m) sum g_i: no protection, one liar decides. The sum runs along the fixed tree of worker ids. */
public record Mean() implements Aggregator {
    @Override
    public Aggregate aggregate(Round round) {
        return new Aggregate(
                of(round.votes()), round.votes().stream().mapToInt(Vote::worker).toArray(), Carry.NONE, "all kept");
    }

    @Override
    public int budget() {
        return 0;
    }

    /** The mean, finite whenever the vectors are: near the largest double the terms are scaled by a power of two. */
    public static double[] of(List<Vote> votes) {
        double[] mean = of(votes, 0);
        return Vectors.finite(mean) ? mean : of(votes, 32 - Integer.numberOfLeadingZeros(votes.size()));
    }

    private static double[] of(List<Vote> votes, int exponent) {
        double[] sum = Tree.reduce(
                votes.size(),
                i -> exponent == 0
                        ? votes.get(i).vector().clone()
                        : Vectors.scaled(
                                Math.scalb(1.0, -exponent), votes.get(i).vector()),
                Vectors::add);
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Math.scalb(sum[i] / votes.size(), exponent);
        }
        return sum;
    }
}
