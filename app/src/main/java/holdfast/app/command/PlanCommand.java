package holdfast.app.command;

import holdfast.Check;
import holdfast.app.report.ForecastText;
import holdfast.app.report.JsonText;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.training.Forecast;
import holdfast.training.PreparedRun;
import holdfast.training.engine.Engine;
import holdfast.training.engine.Engines;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast plan}: says what the paper's theorems say about a plan, before it runs. */
@Command(
        name = "plan",
        description =
                "Says which of the paper's theorems apply to a plan, and what they promise: assumptions, constants, step, rate,"
                        + " floor and breakpoint, each with its formula, and what to change so that a theorem applies. Without data"
                        + " it says what does not depend on them.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "DATA", description = "the table, or several; none: general answers")
    private List<String> data = List.of();

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    private final EngineOptions engines = new EngineOptions(Engines.found(new LocalEngine()));

    /** Adds an option for every setting of a plan and of the engines. */
    static CommandLine commandLine() {
        PlanCommand command = new PlanCommand();
        CommandLine line = PlanOptions.addTo(command, Plan.defaults(), List.of());
        command.engines.addTo(line.getCommandSpec());
        return line;
    }

    @Override
    public Integer call() {
        Plan plan = Plan.of(PlanOptions.settings(spec, planFile, plugins.catalogues()), plugins.catalogues());
        Warnings.show(false);
        Forecast forecast = data.isEmpty() ? general(plan) : about(plan);
        System.out.print(json ? JsonText.print(ForecastText.json(forecast)) : ForecastText.of(forecast));
        return ExitCode.OK;
    }

    private static Forecast general(Plan plan) {
        Check.that(!plan.bySource(), "--workers-by needs data; without data give the number of --workers");
        return Forecast.of(plan, plan.get(PlanKey.WORKERS));
    }

    private Forecast about(Plan given) {
        int threads = Runtime.getRuntime().availableProcessors();
        try (Engine.Session session = engines.open(spec.commandLine().getParseResult(), data, given, threads);
                PreparedRun prepared = session.prepare()) {
            return prepared.pool().threads().call(() -> Forecast.of(prepared));
        }
    }
}
