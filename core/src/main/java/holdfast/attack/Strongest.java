package holdfast.attack;

import java.util.List;
import java.util.stream.Stream;

/**
 * Tries a fixed portfolio of the other attacks on the actual defence, thirty attempts a round, and sends what
 * makes the aggregate go least along the honest mean, {@code <G, u>}: for finding the number of liars at which a rule
 * breaks.
 */
public record Strongest() implements UpdateAttack {
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
    public List<double[]> forge(Situation situation) {
        if (situation.byzantine().length == 0) {
            return List.of();
        }
        return of(situation, Cloud.of(situation), PORTFOLIO.stream().map(attack -> attack.forge(situation)));
    }

    /** Of several lies the one after which the server goes least along the honest mean; of equals the first. */
    static List<double[]> of(Situation situation, Cloud honest, Stream<List<double[]>> lies) {
        double[] u = honest.heading();
        record Tried(List<double[]> lie, double progress) {}
        return lies.map(lie -> new Tried(lie, Cloud.along(situation.attempt(lie).direction(), u)))
                .reduce((a, b) -> b.progress < a.progress ? b : a)
                .orElseThrow()
                .lie();
    }
}
