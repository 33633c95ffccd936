package holdfast.app.command;

import holdfast.app.report.Listing;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast attacks}: the catalogue of attacks. */
@Command(name = "attacks", description = "Lists the attacks with their parameters.", mixinStandardHelpOptions = true)
final class AttacksCommand implements Callable<Integer> {
    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        List<Listing> listings = List.of(Listing.of(
                "attacks",
                "Attacks, with their parameters and default values:",
                plugins.catalogues().attacks()));
        System.out.print(json ? Listing.json(listings) : Listing.text(listings));
        return ExitCode.OK;
    }
}
