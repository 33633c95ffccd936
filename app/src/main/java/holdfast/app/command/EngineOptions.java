package holdfast.app.command;

import holdfast.Check;
import holdfast.InputException;
import holdfast.plan.Plan;
import holdfast.training.engine.Engine;
import holdfast.training.engine.EngineOption;
import holdfast.training.engine.EngineSettings;
import holdfast.training.engine.Engines;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Engines and their options, as options of a command. */
final class EngineOptions {
    /** Spark is not in the program's own jar; users who ask that jar for Spark are told where to get it. */
    private static final String GET_SPARK =
            "Spark comes with ./holdfast train DATA --engine spark in the repository, or with spark-submit";

    /** An option that many will try, because Spark's own commands have it too. */
    private static final String OF_SPARK = "master";

    private final Engines engines;

    /** @param engines the first of them trains if none is named */
    EngineOptions(Engines engines) {
        this.engines = engines;
    }

    /** Adds {@code --engine} and the engines' own options, under a heading. */
    void addTo(CommandSpec command) {
        String known = engines.all().stream()
                .map(engine -> engine.name() + " (" + engine.meaning() + ")")
                .collect(Collectors.joining(", "));
        ArgGroupSpec.Builder group = ArgGroupSpec.builder().validate(false).heading("%nEngine:%n");
        group.addArg(text("--engine", "X", "where the workers are: " + known + " (default: " + standard() + ")"));
        options().forEach((name, option) -> group.addArg(text("--" + name, option.label(), option.meaning())));
        command.addArgGroup(group.build());
        if (!options().containsKey(OF_SPARK)) {
            command.addOption(OptionSpec.builder("--" + OF_SPARK)
                    .type(String.class)
                    .hidden(true)
                    .build());
        }
    }

    private static OptionSpec text(String name, String label, String meaning) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(meaning.replace("%", "%%")) // picocli reads % as a format
                .build();
    }

    private String standard() {
        return engines.names().get(0);
    }

    private Map<String, EngineOption> options() {
        Map<String, EngineOption> options = new LinkedHashMap<>();
        engines.all().stream()
                .flatMap(engine -> engine.options().stream())
                .forEach(option -> options.putIfAbsent(option.name(), option));
        return options;
    }

    /**
     * Opens a table with the engine that the command line names.
     *
     * @throws InputException if there is no such engine, or an option is given that it does not have
     */
    Engine.Session open(ParseResult given, List<String> data, Plan plan, int threads) {
        String name = given.matchedOptionValue("--engine", standard());
        Engine engine = engines.named(name)
                .orElseThrow(() -> new InputException("--engine must be one that is on the class path ("
                        + String.join(", ", engines.names()) + "), got " + name + "; " + GET_SPARK));
        return engine.open(data, plan, new EngineSettings(settings(given, engine), threads));
    }

    private Map<String, String> settings(ParseResult given, Engine chosen) {
        List<String> own = chosen.options().stream().map(EngineOption::name).toList();
        Map<String, String> settings = new HashMap<>();
        for (String option : options().keySet()) {
            String value = given.matchedOptionValue("--" + option, (String) null);
            Check.that(
                    value == null || own.contains(option),
                    "--%s is an option of --engine %s, got --engine %s",
                    option,
                    having(option),
                    chosen.name());
            if (value != null) {
                settings.put(option, value);
            }
        }
        Check.that(
                options().containsKey(OF_SPARK) || !given.hasMatchedOption("--" + OF_SPARK),
                "--%s is an option of an engine that is not on the class path; %s",
                OF_SPARK,
                GET_SPARK);
        return settings;
    }

    private String having(String option) {
        return engines.all().stream()
                .filter(engine ->
                        engine.options().stream().anyMatch(o -> o.name().equals(option)))
                .map(Engine::name)
                .collect(Collectors.joining(" or "));
    }
}
