package holdfast.attack;

import holdfast.Randomness;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * The directed deviation against the trimmed mean and the median (Fang, Cao, Jia, Gong 2020): in each coordinate every
 * liar draws a value just beyond the honest extreme that lies opposite to the sign of the honest mean, at most twice as
 * far from 0 or half as far: below a lowest value l in [l/2, l] or [2 l, l], above a highest value h in [h, 2 h] or
 * [h, h/2].
 */
public record FangTrimmedMean() implements UpdateAttack {
    /** The paper's b. */
    private static final double BEYOND = 2;

    @Override
    public List<double[]> forge(AttackContext context) {
        Cloud honest = Cloud.of(context);
        double[] from = new double[honest.mean().length];
        double[] to = new double[from.length];
        for (int c = 0; c < from.length; c++) {
            double sign = honest.mean()[c] > 0 ? -1 : 1;
            double farthest = Double.NEGATIVE_INFINITY;
            for (WorkerUpdate update : honest.updates()) {
                farthest = Math.max(farthest, sign * update.vector()[c]);
            }
            double extreme = sign * farthest;
            from[c] = extreme;
            to[c] = sign * extreme > 0 ? extreme * BEYOND : extreme / BEYOND;
        }
        double[] end = Vectors.clamped(to);
        return Arrays.stream(context.byzantine())
                .mapToObj(b -> {
                    Randomness random = context.seed().child("liar", b).random();
                    double[] v = new double[from.length];
                    for (int c = 0; c < v.length; c++) {
                        double share = random.nextDouble();
                        v[c] = (1 - share) * from[c] + share * end[c];
                    }
                    return v;
                })
                .toList();
    }
}
