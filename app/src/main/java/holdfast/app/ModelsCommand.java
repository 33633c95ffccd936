package holdfast.app;

import holdfast.model.Models;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast models}: the catalogue of models. */
@Command(name = "models", description = "Lists the models with their parameters.", mixinStandardHelpOptions = true)
final class ModelsCommand implements Callable<Integer> {
    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        List<Listing> listings =
                List.of(Listing.of("models", "Models, with their parameters and standard values:", Models.catalogue()));
        System.out.print(json ? Listing.json(listings) : Listing.text(listings));
        return Exit.OK;
    }
}
