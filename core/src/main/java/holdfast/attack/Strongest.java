package holdfast.attack;

import holdfast.math.Vectors;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tries a fixed portfolio of the other attacks on the actual defence, about fifty attempts a round, and sends the one
 * that makes the aggregate go least along the honest mean, {@code <G, u>}. Use it to find the number of liars at which
 * a rule breaks.
 *
 * <p>It is greedy: it takes the worst step of this round, whatever that means for later rounds. So an attack of the
 * portfolio that keeps to one aim, such as {@link Mimic} when honest workers differ, may leave a worse model than this
 * one. The best attack of the portfolio is made as long as the defence allows: doubled while that does more harm, then
 * lengthened by bisection up to where the harm ends.
 */
public record Strongest() implements UpdateAttack {
    private static final int BISECTIONS = 20;
    private static final double LONGEST = 64;
    private static final List<UpdateAttack> PORTFOLIO = List.of(
            new Aggressive(10),
            new Intelligent(0.8),
            new Gaussian(0, 1),
            new Huge(1e300),
            new InnerProduct(0.1),
            new InnerProduct(0.5),
            new InnerProduct(1),
            new InnerProduct(2),
            new ALittle(-1.5),
            new ALittle(0.5),
            new ALittle(1.5),
            new Mimic(0),
            new MinMax(Perturbation.STD),
            new MinMax(Perturbation.SIGN),
            new MinMax(Perturbation.UNIT),
            new MinSum(Perturbation.UNIT),
            new FangTrimmedMean(),
            new BelowCut(),
            new BelowCutOptimised(0));

    @Override
    public List<double[]> forge(AttackContext context) {
        if (context.byzantine().length == 0) {
            return List.of();
        }
        Cloud honest = Cloud.of(context);
        List<double[]> best = of(context, honest, PORTFOLIO.stream().map(attack -> attack.forge(context)));
        return lengthened(context, honest.heading(), best);
    }

    private static List<double[]> lengthened(AttackContext context, double[] u, List<double[]> lie) {
        double good = 1;
        double least = progress(context, u, lie);
        double bad = 2;
        for (double now = progress(context, u, scaled(bad, lie)); now < least && bad < LONGEST; ) {
            least = now;
            good = bad;
            bad *= 2;
            now = progress(context, u, scaled(bad, lie));
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = good / 2 + bad / 2;
            double now = progress(context, u, scaled(middle, lie));
            if (now < least) {
                least = now;
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good == 1 ? lie : scaled(good, lie);
    }

    private static List<double[]> scaled(double factor, List<double[]> lie) {
        return lie.stream().map(v -> Vectors.clamped(Vectors.scaled(factor, v))).toList();
    }

    private static double progress(AttackContext context, double[] u, List<double[]> lie) {
        return Cloud.along(context.attempt(lie).direction(), u);
    }

    /** Returns the lies after which the server goes least along the honest mean; among equals, the first. */
    static List<double[]> of(AttackContext context, Cloud honest, Stream<List<double[]>> lies) {
        double[] u = honest.heading();
        record Tried(List<double[]> lie, double progress) {}
        return lies.map(lie -> new Tried(lie, progress(context, u, lie)))
                .reduce((a, b) -> b.progress < a.progress ? b : a)
                .orElseThrow()
                .lie();
    }
}
