package holdfast.app;

import holdfast.Catalogue;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast rules}: the catalogue of rules and pre-aggregators. */
@Command(
        name = "rules",
        description = "Lists the rules and pre-aggregators with their parameters and how many workers they need.",
        mixinStandardHelpOptions = true)
final class RulesCommand implements Callable<Integer> {
    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        List<Listing> listings = List.of(
                new Listing(
                        "rules",
                        "Rules, with their parameters and standard values, and the number m of workers they need to bear f"
                                + " lies:",
                        items(Aggregators::rules, RulesCommand::workers)),
                new Listing(
                        "pre_aggregators",
                        "Pre-aggregators, to be put before a rule with a plus:",
                        items(f -> Aggregators.preAggregators(), name -> "")));
        System.out.print(json ? Listing.json(listings) : Listing.text(listings));
        return Exit.OK;
    }

    private static List<Listing.Item> items(IntFunction<Catalogue<?>> catalogue, UnaryOperator<String> workers) {
        List<Catalogue.Entry> atOne = catalogue.apply(1).entries();
        List<Catalogue.Entry> atTwo = catalogue.apply(2).entries();
        List<Listing.Item> items = new ArrayList<>();
        for (int i = 0; i < atOne.size(); i++) {
            Catalogue.Entry entry = atOne.get(i);
            Map<String, String> two = atTwo.get(i).parameters();
            Map<String, String> parameters = new LinkedHashMap<>(entry.parameters());
            parameters.replaceAll((key, one) -> one.equals(two.get(key))
                    ? one
                    : formula(Double.parseDouble(one), Double.parseDouble(two.get(key))));
            items.add(new Listing.Item(
                    new Catalogue.Entry(entry.name(), entry.meaning(), parameters), workers.apply(entry.name())));
        }
        return items;
    }

    private static String workers(String name) {
        Spec spec = Spec.parse(name);
        Aggregator atOne = Aggregators.rules(1).create(spec);
        return "m >= "
                + formula(atOne.minWorkers(), Aggregators.rules(2).create(spec).minWorkers())
                + (atOne.tolerated() == 0 ? ", takes no f" : "");
    }

    /** A linear function of f by its values at 1 and 2, as text: 2f+1. */
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
