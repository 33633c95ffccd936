package holdfast.app.command;

import holdfast.data.Dataset;
import holdfast.formats.ModelFile;
import holdfast.formats.VoteFile;
import holdfast.plan.Catalogues;
import holdfast.plan.PlanKey;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
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

    /** Says that rows are counted of sources that the model was trained without, if a table has any. */
    static void noteLeftOut(ModelFile file, Dataset rows) {
        List<String> without = PlanKey.WITHOUT.parse(file.settings().getOrDefault(PlanKey.WITHOUT.name(), ""));
        List<int[]> bySource = rows.rowsBySource();
        List<String> counted = IntStream.range(0, bySource.size())
                .filter(s -> bySource.get(s).length > 0)
                .mapToObj(rows.schema().groups()::get)
                .filter(without::contains)
                .toList();
        if (!counted.isEmpty()) {
            System.err.println("holdfast: note: the rows of " + Warnings.printable(String.join(", ", counted))
                    + " are counted here; the model was trained --without " + (counted.size() == 1 ? "it" : "them"));
        }
    }

    ModelFile read(Catalogues catalogues) {
        return changed ? ModelFile.readChanged(file, catalogues) : ModelFile.read(file, catalogues);
    }
}
