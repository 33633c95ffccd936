package holdfast.app.command;

import holdfast.Check;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast convert}: writes a table as a file that need not fit into memory. */
@Command(
        name = "convert",
        description = "Converts a table to an .hfd file. Other commands take it in place of the table and give the same"
                + " results, without reading it into memory.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class ConvertCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "DATA OUT",
            hideParamSyntax = true,
            description = {
                "the table: a file, builtin:spambase, builtin:digits, or - for standard input; several files, or a folder of"
                        + " .csv and .tsv files: each file is one source",
                "and the .hfd file to write"
            })
    private List<String> files;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--quiet", description = "print no progress and no warnings")
    private boolean quiet;

    /** Adds options for the settings that decide how a table is read and stored. */
    static CommandLine commandLine() {
        List<PlanKey<?>> decisive = new ArrayList<>(PlanKey.aboutFiles());
        decisive.add(PlanKey.MODEL);
        decisive.add(PlanKey.STATISTICS);
        decisive.add(PlanKey.TOLERATED);
        decisive.add(PlanKey.STORAGE);
        return PlanOptions.addOnly(new ConvertCommand(), decisive);
    }

    @Override
    public Integer call() throws IOException {
        Check.that(files.size() >= 2, "convert needs a table and the .hfd file to write, got only %s", files.get(0));
        List<String> data = files.subList(0, files.size() - 1);
        Path out = Path.of(files.get(files.size() - 1));
        Check.that(
                !out.toString().equals("-"), "OUT must be a file, because it is memory-mapped when it is read; got -");
        OutputFile.requireWritable("OUT", out, planFile);
        OutputFile.requireWritable("OUT", out, data.toArray());
        Warnings.show(!quiet);
        int rows;
        try (Progress reading = new Progress(quiet);
                Progress writing = new Progress(quiet)) {
            rows = DataFile.convert(
                    data,
                    Plan.of(PlanOptions.settings(spec, planFile)),
                    out,
                    share -> reading.show(share, "reading"),
                    share -> writing.show(share, "writing"));
        }
        System.out.printf("%d rows, %d MB written to %s%n", rows, (Files.size(out) + 999_999) / 1_000_000, out);
        return ExitCode.OK;
    }
}
