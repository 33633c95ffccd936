package holdfast.app.command;

import holdfast.plan.Catalogues;
import picocli.CommandLine;

/** The commands of the program: a new one is a class of this package and a line here. */
public final class Commands {
    private Commands() {}

    /** Adds every command to the program, in the order in which {@code holdfast --help} lists them. */
    public static void addTo(CommandLine program) {
        program.addSubcommand("demo", new DemoCommand())
                .addSubcommand("paper", new PaperCommand())
                .addSubcommand("train", TrainCommand.commandLine())
                .addSubcommand("profile", ProfileCommand.commandLine())
                .addSubcommand("plan", PlanCommand.commandLine())
                .addSubcommand("evaluate", new EvaluateCommand())
                .addSubcommand("predict", new PredictCommand())
                .addSubcommand("explain", new ExplainCommand())
                .addSubcommand("rerun", new RerunCommand())
                .addSubcommand("convert", ConvertCommand.commandLine())
                .addSubcommand("partition", PartitionCommand.commandLine())
                .addSubcommand("redteam", RedTeamCommand.commandLine())
                .addSubcommand("breakpoint", BreakpointCommand.commandLine())
                .addSubcommand("aggregate", new AggregateCommand())
                .addSubcommand("forge", new ForgeCommand())
                .addSubcommand("models", CatalogueCommand.of("models", Catalogues::models))
                .addSubcommand("objectives", CatalogueCommand.of("objectives", Catalogues::objectives))
                .addSubcommand("rules", CatalogueCommand.rules())
                .addSubcommand("attacks", CatalogueCommand.of("attacks", Catalogues::attacks))
                .addSubcommand("shifts", CatalogueCommand.of("shifts", Catalogues::shifts));
    }
}
