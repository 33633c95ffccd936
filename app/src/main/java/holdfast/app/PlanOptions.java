package holdfast.app;

import holdfast.formats.PlanFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The settings of a training plan as options of a command. */
final class PlanOptions {
    private PlanOptions() {}

    /** The command with one option per key of the plan; the help tells what the command starts from. */
    static CommandLine addTo(Object command, Plan standard, PlanKey<?>... except) {
        CommandLine line = new CommandLine(command);
        CommandSpec spec = line.getCommandSpec();
        for (PlanKey<?> key : PlanKey.all()) {
            if (List.of(except).contains(key)) {
                continue;
            }
            OptionSpec.Builder option = OptionSpec.builder("--" + key.name()).description(description(key, standard));
            if (key.defaultValue() instanceof Boolean) {
                spec.addOption(option.type(boolean.class).arity("0").build());
                spec.addOption(OptionSpec.builder("--no-" + key.name())
                        .description("the opposite")
                        .type(boolean.class)
                        .arity("0")
                        .build());
            } else {
                spec.addOption(option.type(String.class).paramLabel("X").build());
            }
        }
        return line;
    }

    /** The command with options for these keys alone. */
    static CommandLine addOnly(Object command, Collection<PlanKey<?>> keys) {
        return addTo(
                command,
                Plan.defaults(),
                PlanKey.all().stream().filter(key -> !keys.contains(key)).toArray(PlanKey<?>[]::new));
    }

    /** What a plan file says, if there is one, overridden by what was given. */
    static Map<String, String> settings(CommandSpec spec, Path planFile) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (planFile != null) {
            settings.putAll(PlanFile.read(planFile));
        }
        settings.putAll(given(spec));
        return settings;
    }

    private static <T> String description(PlanKey<T> key, Plan standard) {
        String value = key.print(standard.get(key));
        // picocli reads % as a format
        return (key.meaning() + (value.isEmpty() ? "" : " (default: " + value + ")")).replace("%", "%%");
    }

    /** What was given, as a plan file would say it. */
    static Map<String, String> given(CommandSpec spec) {
        CommandLine.ParseResult given = spec.commandLine().getParseResult();
        Map<String, String> settings = new LinkedHashMap<>();
        for (PlanKey<?> key : PlanKey.all()) {
            if (key.defaultValue() instanceof Boolean) {
                if (given.hasMatchedOption("--" + key.name())) {
                    settings.put(key.name(), "true");
                }
                if (given.hasMatchedOption("--no-" + key.name())) {
                    settings.put(key.name(), "false");
                }
            } else {
                String value = given.matchedOptionValue("--" + key.name(), (String) null);
                if (value != null) {
                    settings.put(key.name(), value);
                }
            }
        }
        return settings;
    }
}
