package holdfast.app.report;

import holdfast.Catalogue;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.RuleFamily;
import holdfast.plan.Catalogues;
import java.util.List;

/** The catalogues of rules and pre-aggregators, with the number of workers that each rule needs. */
public final class RuleListing {
    private RuleListing() {}

    public static List<Listing> of(Catalogues catalogues) {
        Catalogue<RuleFamily> rules = catalogues.rules();
        return List.of(
                new Listing(
                        "rules",
                        "Rules, with their parameters and default values, and the number m of workers they need to tolerate f"
                                + " liars:",
                        rules.entries().stream()
                                .map(entry -> new Listing.Item(entry, workers(rules.create(Spec.parse(entry.name())))))
                                .toList()),
                Listing.of(
                        "pre_aggregators",
                        "Pre-aggregators, which stand before a rule, joined by a plus:",
                        catalogues.preAggregators()));
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
