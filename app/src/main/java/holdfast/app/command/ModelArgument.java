package holdfast.app.command;

import holdfast.formats.ModelFile;
import holdfast.plan.Catalogues;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The model.json that a command gets as its first argument. */
final class ModelArgument {
    @Parameters(index = "0", paramLabel = "MODEL", description = "a model.json that holdfast wrote")
    private Path file;

    @Option(names = "--changed", description = "accept a model.json that was changed after holdfast wrote it")
    private boolean changed;

    Path file() {
        return file;
    }

    ModelFile read(Catalogues catalogues) {
        return changed ? ModelFile.readChanged(file, catalogues) : ModelFile.read(file, catalogues);
    }
}
