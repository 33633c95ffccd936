package holdfast.app.command;

import holdfast.Catalogue;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.RuleFamily;
import holdfast.app.report.Listing;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast rules}: the catalogue of rules and pre-aggregators. */
@Command(
        name = "rules",
        description = "Lists the rules and pre-aggregators with their parameters and how many workers they need.",
        mixinStandardHelpOptions = true)
final class RulesCommand implements Callable<Integer> {
    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        List<Listing> listings = List.of(
                new Listing(
                        "rules",
                        "Rules, with their parameters and default values, and the number m of workers they need to tolerate f"
                                + " liars:",
                        items(plugins.catalogues().rules(), this::workers)),
                new Listing(
                        "pre_aggregators",
                        "Pre-aggregators, which stand before a rule, joined by a plus:",
                        items(plugins.catalogues().preAggregators(), name -> "")));
        System.out.print(json ? Listing.json(listings) : Listing.text(listings));
        return ExitCode.OK;
    }

    private static List<Listing.Item> items(Catalogue<?> catalogue, UnaryOperator<String> workers) {
        return catalogue.entries().stream()
                .map(entry -> new Listing.Item(entry, workers.apply(entry.name())))
                .toList();
    }

    private String workers(String name) {
        RuleFamily family = plugins.catalogues().rules().create(Spec.parse(name));
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
