package holdfast.app.command;

import holdfast.formats.ModelFile;
import holdfast.formats.VoteFile;
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

    /** Returns whether the file holds models that vote. */
    boolean votes() {
        return VoteFile.isOne(file);
    }

    VoteFile readVotes(Catalogues catalogues) {
        return changed ? VoteFile.readChanged(file, catalogues) : VoteFile.read(file, catalogues);
    }

    ModelFile read(Catalogues catalogues) {
        return changed ? ModelFile.readChanged(file, catalogues) : ModelFile.read(file, catalogues);
    }
}
