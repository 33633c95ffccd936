package holdfast.aggregate;

import holdfast.Catalogue;

/** The rules a plan may name. */
public final class Aggregators {
    private Aggregators() {}

    /** @param budget how many arbitrary updates to prepare for, where the rule's own parameter does not say */
    public static Catalogue<Aggregator> catalogue(int budget) {
        return Catalogue.<Aggregator>of("rule")
                .with("norm-screening", p -> new NormScreening(p.integer("screened", budget)))
                .with("mean", p -> new Mean());
    }
}
