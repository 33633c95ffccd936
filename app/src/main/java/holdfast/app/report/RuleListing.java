package holdfast.app.report;

import holdfast.Catalogue;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.RuleFamily;
import holdfast.aggregate.TrimmedMean;
import holdfast.plan.Catalogues;
import holdfast.theory.Robustness;
import java.util.List;
import java.util.Optional;

/**
 * The catalogues of rules and pre-aggregators, with the number of workers that each rule needs and how far liars can move
 * it.
 */
public final class RuleListing {
    /** For kappa as a number, with one liar. */
    private static final int WORKERS = 10;

    private RuleListing() {}

    public static List<Listing> of(Catalogues catalogues) {
        Catalogue<RuleFamily> rules = catalogues.rules();
        return List.of(
                new Listing(
                        "rules",
                        "Rules, with their parameters and default values, the number m of workers they need to tolerate f"
                                + " liars, and how far these can move the direction G. With kappa: |G-g|^2 <= kappa r^2,"
                                + " g the mean of the honest updates, r^2 the mean of their squared distances from g [for"
                                + " f = 1, m = "
                                + WORKERS
                                + "]. Else for every S, Delta the largest distance of an honest update from it:",
                        rules.entries().stream()
                                .map(entry -> {
                                    RuleFamily family = rules.create(Spec.parse(entry.name()));
                                    return new Listing.Item(
                                            entry, workers(family), Optional.of(robustness(family.tolerating(1))));
                                })
                                .toList()),
                new Listing(
                        "pre_aggregators",
                        "Pre-aggregators, which stand before a rule, joined by a plus, and what becomes of its kappa:",
                        catalogues.preAggregators().entries().stream()
                                .map(entry -> new Listing.Item(
                                        entry,
                                        "",
                                        Optional.of(formula(catalogues
                                                .preAggregators()
                                                .create(Spec.parse(entry.name()))
                                                .robustness(new TrimmedMean(1), WORKERS)))))
                                .toList()));
    }

    /** Returns what is known with one liar, with a number if it is about one liar among {@link #WORKERS}. */
    private static Robustness robustness(Aggregator atOne) {
        Robustness robustness = atOne.robustness(Math.max(WORKERS, atOne.minWorkers()));
        return atOne.tolerated() == 1 && atOne.minWorkers() <= WORKERS ? robustness : formula(robustness);
    }

    private static Robustness formula(Robustness robustness) {
        return Robustness.none(robustness.formula(), robustness.source());
    }

    private static String workers(RuleFamily family) {
        Aggregator atOne = family.tolerating(1);
        return "m >= "
                + formula(atOne.minWorkers(), family.tolerating(2).minWorkers())
                + (atOne.tolerated() == 0 ? ", f = 0" : "");
    }

    /** Returns the text of a linear function of f, such as 2f+1, from its values at 1 and 2. */
    static String formula(double atOne, double atTwo) {
        double slope = atTwo - atOne;
        double rest = atOne - slope;
        if (slope == 0) {
            return Spec.print(rest);
        }
        return (slope == 1 ? "" : Spec.print(slope))
                + "f"
                + (rest > 0 ? "+" : "")
                + (rest == 0 ? "" : Spec.print(rest));
    }
}
