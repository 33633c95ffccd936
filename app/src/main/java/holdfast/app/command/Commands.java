package holdfast.app.command;

import holdfast.plan.Catalogues;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands of the program: a new one is a class of this package and a line here. */
public final class Commands {
    private static final Map<String, Supplier<Object>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("demo", DemoCommand::new);
        ALL.put("paper", PaperCommand::new);
        ALL.put("train", TrainCommand::commandLine);
        ALL.put("profile", ProfileCommand::commandLine);
        ALL.put("plan", PlanCommand::commandLine);
        ALL.put("evaluate", EvaluateCommand::new);
        ALL.put("predict", PredictCommand::new);
        ALL.put("explain", ExplainCommand::new);
        ALL.put("certify", CertifyCommand::new);
        ALL.put("drift", DriftCommand::new);
        ALL.put("rerun", RerunCommand::new);
        ALL.put("convert", ConvertCommand::commandLine);
        ALL.put("partition", PartitionCommand::commandLine);
        ALL.put("redteam", RedTeamCommand::commandLine);
        ALL.put("breakpoint", BreakpointCommand::commandLine);
        ALL.put("aggregate", AggregateCommand::new);
        ALL.put("forge", ForgeCommand::new);
        ALL.put("models", () -> CatalogueCommand.of("models", Catalogues::models));
        ALL.put("objectives", () -> CatalogueCommand.of("objectives", Catalogues::objectives));
        ALL.put("rules", CatalogueCommand::rules);
        ALL.put("attacks", () -> CatalogueCommand.of("attacks", Catalogues::attacks));
        ALL.put("shifts", () -> CatalogueCommand.of("shifts", Catalogues::shifts));
    }

    private Commands() {}

    /**
     * Adds the command that the first argument names. If it names none, adds all commands, in the order in which
     * {@code holdfast --help} lists them. Making the options of all commands takes a third of a second.
     */
    public static void addTo(CommandLine program, String... args) {
        if (args.length > 0 && ALL.containsKey(args[0])) {
            program.addSubcommand(args[0], ALL.get(args[0]).get());
        } else {
            ALL.forEach((name, command) -> program.addSubcommand(name, command.get()));
        }
    }
}
