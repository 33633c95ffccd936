package holdfast.app.command;

import holdfast.Check;
import holdfast.formats.PlanFile;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.SettingGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The settings of a training plan as options of a command, under the headings of their groups. */
final class PlanOptions {
    private PlanOptions() {}

    /**
     * Adds one option per setting of a plan to the command.
     *
     * @param standard the command's own defaults, which the help shows
     * @param except settings that the command decides itself
     */
    static CommandLine addTo(Object command, Plan standard, Collection<PlanKey<?>> except) {
        List<PlanKey<?>> keys = new ArrayList<>(PlanKey.all());
        keys.removeAll(except);
        return add(command, standard, keys);
    }

    /**
     * Returns the settings of the simulated liars and some others, and those about decisions, because comparisons take
     * models as they are trained.
     */
    static List<PlanKey<?>> simulationAnd(PlanKey<?>... others) {
        List<PlanKey<?>> keys = new ArrayList<>(PlanKey.in(SettingGroup.DECISIONS, SettingGroup.SIMULATION));
        keys.addAll(List.of(others));
        return List.copyOf(keys);
    }

    /** Adds options for these keys only. */
    static CommandLine addOnly(Object command, Collection<PlanKey<?>> keys) {
        return add(
                command,
                Plan.defaults(),
                PlanKey.all().stream().filter(keys::contains).toList());
    }

    private static CommandLine add(Object command, Plan standard, List<PlanKey<?>> keys) {
        CommandLine line = new CommandLine(command);
        CommandSpec spec = line.getCommandSpec();
        for (SettingGroup group : SettingGroup.values()) {
            ArgGroupSpec.Builder options =
                    ArgGroupSpec.builder().validate(false).heading("%n" + group.heading() + ":%n");
            keys.stream()
                    .filter(key -> key.group() == group)
                    .flatMap(key -> options(key, standard).stream())
                    .forEach(options::addArg);
            if (!options.args().isEmpty()) {
                spec.addArgGroup(options.build());
            }
        }
        return line;
    }

    private static List<OptionSpec> options(PlanKey<?> key, Plan standard) {
        List<OptionSpec> options = new ArrayList<>();
        OptionSpec.Builder option = OptionSpec.builder(key.flag()).description(description(key, standard));
        if (key.defaultValue() instanceof Boolean) {
            options.add(option.type(boolean.class).arity("0").build());
            options.add(OptionSpec.builder("--no-" + key.name())
                    .description("turn --" + key.name() + " off")
                    .type(boolean.class)
                    .arity("0")
                    .build());
        } else {
            options.add(option.type(String.class).paramLabel("X").build());
        }
        for (String older : key.olderNames()) {
            options.add(OptionSpec.builder("--" + older)
                    .type(String.class)
                    .hidden(true)
                    .build());
        }
        return options;
    }

    /** Returns the settings of the plan file, if there is one, overridden by the options given. */
    static Map<String, String> settings(CommandSpec spec, Path planFile) {
        return settings(spec, planFile, Catalogues.standard());
    }

    /** Does the same for a plan file that may use names that plugins add. */
    static Map<String, String> settings(CommandSpec spec, Path planFile, Catalogues catalogues) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (planFile != null) {
            PlanFile.read(planFile, given -> Plan.of(given, catalogues))
                    .forEach((name, value) -> settings.put(PlanKey.named(name).name(), value));
        }
        settings.putAll(given(spec));
        return settings;
    }

    private static <T> String description(PlanKey<T> key, Plan standard) {
        String value = key.print(standard.get(key));
        // picocli reads % as a format
        return (key.meaning() + (value.isEmpty() ? "" : " (default: " + value + ")")).replace("%", "%%");
    }

    /** Returns the options given, in the form of a plan file. */
    static Map<String, String> given(CommandSpec spec) {
        CommandLine.ParseResult given = spec.commandLine().getParseResult();
        Map<String, String> settings = new LinkedHashMap<>();
        for (PlanKey<?> key : PlanKey.all()) {
            if (key.defaultValue() instanceof Boolean) {
                if (given.hasMatchedOption(key.flag())) {
                    settings.put(key.name(), "true");
                }
                if (given.hasMatchedOption("--no-" + key.name())) {
                    settings.put(key.name(), "false");
                }
                continue;
            }
            List<String> names = new ArrayList<>(key.olderNames());
            names.add(key.name());
            for (String name : names) {
                String value = given.matchedOptionValue("--" + name, (String) null);
                if (value != null) {
                    List<String> all = given.matchedOption("--" + name).originalStringValues();
                    Check.that(all.size() == 1, "--%s must be given once, got '%s'", name, String.join("' and '", all));
                    String before = settings.put(key.name(), value);
                    Check.that(before == null, "%s is given twice, also by an older name", key.flag());
                }
            }
        }
        String price = PlanKey.LAMBDA.name();
        Check.that(
                !settings.containsKey(price)
                        || settings.getOrDefault(PlanKey.RADIUS.name(), "none").equals("none"),
                "--radius finds the price of moving rows; leave out --lambda, got %s",
                settings.get(price));
        return settings;
    }
}
