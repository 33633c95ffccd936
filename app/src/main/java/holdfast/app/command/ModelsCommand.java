package holdfast.app.command;

import holdfast.app.report.Listing;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast models}: the catalogue of models. */
@Command(name = "models", description = "Lists the models with their parameters.", mixinStandardHelpOptions = true)
final class ModelsCommand implements Callable<Integer> {
    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        List<Listing> listings = List.of(Listing.of(
                "models",
                "Models, with their parameters and default values:",
                plugins.catalogues().models()));
        System.out.print(json ? Listing.json(listings) : Listing.text(listings));
        return ExitCode.OK;
    }
}
