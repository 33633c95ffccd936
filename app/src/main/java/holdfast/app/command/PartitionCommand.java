package holdfast.app.command;

import holdfast.app.report.JsonText;
import holdfast.app.report.PartitionReport;
import holdfast.data.Table;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.SettingGroup;
import holdfast.training.PreparedData;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast partition}: shows which worker would hold which rows. */
@Command(
        name = "partition",
        description = "Shows how many rows of each class, or which range of numbers, each worker would hold.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class PartitionCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "DATA",
            description = "the table: a file, builtin:spambase, builtin:digits, or - for standard input")
    private String data;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--svg", paramLabel = "FILE", description = "draw a picture into this file")
    private Path svg;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    /** Adds options for the settings that decide who holds what. */
    static CommandLine commandLine() {
        return PlanOptions.addOnly(
                new PartitionCommand(), PlanKey.in(SettingGroup.DATA, SettingGroup.SOURCES, SettingGroup.MODEL));
    }

    @Override
    public Integer call() {
        Plan plan = Plan.of(PlanOptions.settings(spec, planFile)).without(PlanKey.in(SettingGroup.SIMULATION));
        if (svg != null) {
            OutputFile.requireWritable("--svg", svg, data, planFile);
        }
        Warnings.show(false);
        Table rows = DataFile.read(data, plan);
        PartitionReport report = new PartitionReport(rows, plan, PreparedData.of(rows, plan));
        System.out.print(json ? JsonText.print(report.json()) : report.text());
        if (svg != null) {
            AtomicFile.write(svg, report.picture());
        }
        return ExitCode.OK;
    }
}
