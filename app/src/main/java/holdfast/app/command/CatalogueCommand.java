package holdfast.app.command;

import holdfast.Catalogue;
import holdfast.app.report.Listing;
import holdfast.app.report.RuleListing;
import holdfast.plan.Catalogues;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast models}, {@code objectives}, {@code rules}, {@code attacks} and {@code shifts}: each lists what one setting may name. */
@Command(mixinStandardHelpOptions = true)
final class CatalogueCommand implements Callable<Integer> {
    private final Function<Catalogues, List<Listing>> listings;

    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    private CatalogueCommand(Function<Catalogues, List<Listing>> listings) {
        this.listings = listings;
    }

    /** Lists one catalogue. */
    static CommandLine of(String name, Function<Catalogues, Catalogue<?>> catalogue) {
        String title = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1)
                + ", with their parameters and default values:";
        return commandLine(
                name,
                "Lists the " + name + " with their parameters.",
                known -> List.of(Listing.of(name, title, catalogue.apply(known))));
    }

    /** Lists the rules, and the pre-aggregators that may stand before them. */
    static CommandLine rules() {
        return commandLine(
                "rules",
                "Lists the rules and pre-aggregators with their parameters and how many workers they need.",
                RuleListing::of);
    }

    private static CommandLine commandLine(
            String name, String description, Function<Catalogues, List<Listing>> listings) {
        CommandLine line = new CommandLine(new CatalogueCommand(listings));
        line.getCommandSpec().name(name).usageMessage().description(description);
        return line;
    }

    @Override
    public Integer call() {
        List<Listing> listed = listings.apply(plugins.catalogues());
        System.out.print(json ? Listing.json(listed) : Listing.text(listed));
        return ExitCode.OK;
    }
}
