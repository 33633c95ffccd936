package holdfast.app.command;

import holdfast.app.report.JsonText;
import holdfast.app.report.ProfileReport;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.formats.AtomicFile;
import holdfast.formats.ColumnWarnings;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast profile}: shows what a table holds, by source, before training. */
@Command(
        name = "profile",
        description =
                "Shows what a table holds before training, for each source: rows, labels, repeated rows, and for every"
                        + " column its type, missing cells and range; what stands out; and warnings about columns.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class ProfileCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "DATA",
            description =
                    "the table: a file, builtin:spambase, builtin:digits, or - for standard input; several files, or a"
                            + " folder of .csv and .tsv files: each file is one source")
    private List<String> data;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--report", paramLabel = "FILE", description = "write a page about the table")
    private Path report;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    /** Adds options for the settings that decide how a table is read. */
    static CommandLine commandLine() {
        List<PlanKey<?>> decisive = new ArrayList<>(PlanKey.aboutFiles());
        decisive.addAll(List.of(
                PlanKey.MODEL, PlanKey.STATISTICS, PlanKey.TOLERATED, PlanKey.WITHOUT, PlanKey.SPLIT_BY, PlanKey.SEED));
        return PlanOptions.addOnly(new ProfileCommand(), decisive);
    }

    @Override
    public Integer call() {
        OutputFile.requireWritable("--report", report, planFile);
        OutputFile.requireWritable("--report", report, data.toArray());
        Plan given = Plan.of(PlanOptions.settings(spec, planFile));
        Plan plan = DataFile.asRead(
                data,
                // A missing cell is counted here, not refused.
                given.get(PlanKey.MISSING) == TableColumn.Missing.FAIL && !isConverted()
                        ? given.with(PlanKey.MISSING, TableColumn.Missing.MEAN)
                        : given);
        List<Table> read = new ArrayList<>();
        List<String> warnings = new ArrayList<>(Warnings.during(() -> read.add(DataFile.read(data, plan))));
        Table table = read.get(0).withoutSources(plan.get(PlanKey.WITHOUT));
        String file = table.source().name() + ": ";
        ColumnWarnings.of(table, plan.get(PlanKey.WORKERS_BY)).stream()
                .map(warning -> file + warning)
                .filter(warning -> !warnings.contains(warning))
                .forEach(warnings::add);
        ProfileReport profile = ProfileReport.of(table, plan, warnings);
        System.out.print(json ? JsonText.print(profile.json()) : profile.text());
        if (report != null) {
            AtomicFile.write(report, profile.html());
        }
        return ExitCode.OK;
    }

    private boolean isConverted() {
        return data.size() == 1 && new DataFile(data.get(0)).isConverted();
    }
}
