package holdfast.attack;

import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The strongest attack on norm screening. Screening keeps the k = m - s shortest of m updates; h_(1) &lt;= h_(2) &lt;=
 * ... are the honest norms, u is the direction of the honest mean. If j liars are kept, so are the k - j shortest
 * honest updates, and none of these liars may be longer than h_(k-j+1); hence the least {@code <G, u>} is
 *
 * <pre>min over j = 0..b of [sum over i &lt;= k-j of {@code <g_(i), u>} - j h_(k-j+1)] / k</pre>
 *
 * with j liars just under -h_(k-j+1) u and the others too long to be kept. If there are more liars than the rule drops,
 * some are kept whatever their length: then all are a million times as long as the longest honest update. No two liars
 * send the same vector.
 */
public record BelowCut() implements UpdateAttack {
    /** Far above the rounding error of a norm, far below what a measurement shows. */
    private static final double SHORTER = 0x1p-36;

    private static final double FAR = 0x1p20;

    @Override
    public List<double[]> forge(AttackContext context) {
        if (context.byzantine().length == 0) {
            return List.of();
        }
        Cloud honest = Cloud.of(context);
        double[] u = honest.heading();
        return Arrays.stream(lengths(context, honest, u))
                .mapToObj(length -> Vectors.scaled(-length, u))
                .toList();
    }

    /**
     * Returns the lengths of the lies, one per liar, all different unless the cut is 0; those that will be kept come
     * first.
     */
    static double[] lengths(AttackContext context, Cloud honest, double[] u) {
        List<WorkerUpdate> byNorm = byNorm(honest.updates());
        double[] norms = byNorm.stream()
                .mapToDouble(v -> Vectors.norm(v.vector()))
                .map(h -> Math.min(h, Double.MAX_VALUE))
                .toArray();
        double longest = norms[norms.length - 1] > 0 ? norms[norms.length - 1] : 1;
        int liars = context.byzantine().length;
        int kept = kept(context);
        long truthful = honest.updates().stream().filter(v -> !context.lies(v)).count();
        int below = 0;
        double far = FAR;
        if (kept <= truthful) {
            below = below(honest, byNorm, norms, u, Math.min(liars, kept), kept);
            far = 2;
        }
        double[] lengths = new double[liars];
        for (int i = 0; i < liars; i++) {
            double limit = i < below ? norms[kept - below] : Math.min(far * longest, Double.MAX_VALUE);
            lengths[i] = limit * (1 - (i + 1) * SHORTER);
        }
        return lengths;
    }

    /** Returns the best j. Inner products and norms are in the cloud's units. */
    private static int below(Cloud honest, List<WorkerUpdate> byNorm, double[] norms, double[] u, int most, int kept) {
        double[] along = byNorm.stream()
                .mapToDouble(v -> Vectors.dot(honest.inUnits(v.vector()), u, u.length))
                .toArray();
        int best = 0;
        double least = Vectors.sum(along, kept);
        for (int j = 1; j <= most; j++) {
            double total = Vectors.sum(along, kept - j) - j * honest.inUnits(norms[kept - j]);
            if (total < least) {
                least = total;
                best = j;
            }
        }
        return best;
    }

    /** Returns k, the number of updates that screening keeps, however many are missing. */
    static int kept(AttackContext context) {
        return context.truth().workers() - context.defence().tolerated();
    }

    /** Sorts updates as screening does: shortest first, equal norms by worker id. */
    static List<WorkerUpdate> byNorm(List<WorkerUpdate> updates) {
        return updates.stream()
                .sorted(Comparator.<WorkerUpdate>comparingDouble(v -> Vectors.norm(v.vector()))
                        .thenComparingInt(WorkerUpdate::worker))
                .toList();
    }
}
