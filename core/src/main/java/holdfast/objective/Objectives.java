package holdfast.objective;

import holdfast.Catalogue;

/** The objectives that a plan may name. */
public final class Objectives {
    private static final Catalogue<ObjectiveFamily> CATALOGUE = Catalogue.<ObjectiveFamily>of("objective")
            .with(
                    "wasserstein",
                    "every row counts by its worst case, at a price (--lambda) or within a radius (--radius), by --cost and --box: the paper's",
                    p -> new Wasserstein(8))
            .with(
                    "cvar",
                    "the mean loss of the worst rows, a share 1 - level of them (conditional value at risk)",
                    p -> new ConditionalValueAtRisk(p.number("level", 0.9)))
            .with(
                    "chi-square",
                    "the worst reweighting of the rows within a chi-square radius: mean plus sqrt(2 radius) standard deviations",
                    p -> new ChiSquareBall(p.number("radius", 0.1)))
            .with(
                    "kl",
                    "the worst reweighting of the rows within a Kullback-Leibler radius",
                    p -> new KullbackLeiblerBall(p.number("radius", 0.1)))
            .with(
                    "moments",
                    "the worst distribution with the rows' mean and at most factor times their second moments, for one linear"
                            + " score",
                    p -> new MomentSet(p.number("factor", 1.5)))
            .with(
                    "group",
                    "the worst mixture of the workers' losses, none above cap times its share (group DRO)",
                    p -> new WorstSources(p.number("cap", 2)));

    private Objectives() {}

    public static Catalogue<ObjectiveFamily> catalogue() {
        return CATALOGUE;
    }
}
