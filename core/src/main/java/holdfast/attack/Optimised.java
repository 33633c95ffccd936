package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Finds the strength tau of a family of attacks at which the actual defence errs most, that is, ||G - mean of the
 * honest|| is largest (as Allouah et al. 2023 tune theirs). Half the tries go to tau = 2^x for evenly spaced x; the
 * others look ever closer to the best so far. It uses no slopes, because the error is discontinuous where a defence
 * starts to drop the liars.
 *
 * @param family the attack of each strength
 * @param tries how often to try the defence
 */
public record Optimised(DoubleFunction<UpdateAttack> family, int tries) implements UpdateAttack {
    private static final double WEAKEST = -5;
    private static final double STRONGEST = 7;

    public Optimised {
        Check.that(tries >= 1, "optimised-ipm, optimised-alie: tries must be >= 1, got %d", tries);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        if (context.byzantine().length == 0) {
            return List.of();
        }
        Search search = new Search(context, Cloud.of(context).mean());
        int coarse = (tries + 1) / 2;
        double step = (STRONGEST - WEAKEST) / coarse;
        for (int i = 0; i < coarse; i++) {
            search.attempt(WEAKEST + (i + 0.5) * step);
        }
        double centre = search.best;
        for (int i = coarse; i < tries; i++) {
            boolean up = (i - coarse) % 2 == 0;
            if (up) {
                step /= 2;
                centre = search.best;
            }
            search.attempt(up ? centre + step : centre - step);
        }
        return search.forged;
    }

    private final class Search {
        private final AttackContext context;
        private final double[] mean;
        private double error = Double.NEGATIVE_INFINITY;
        private double best;
        private List<double[]> forged;

        Search(AttackContext context, double[] mean) {
            this.context = context;
            this.mean = mean;
        }

        void attempt(double x) {
            List<double[]> lie = family.apply(StrictMath.pow(2, x)).forge(context);
            // Takes a quarter of each, because the difference might overflow.
            double[] gap = Vectors.scaled(0.25, context.attempt(lie).direction());
            Vectors.addScaled(gap, -0.25, mean, gap.length);
            double now = Vectors.norm(gap);
            if (now > error) {
                error = now;
                best = x;
                forged = lie;
            }
        }
    }
}
