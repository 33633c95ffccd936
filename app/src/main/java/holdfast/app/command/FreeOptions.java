package holdfast.app.command;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.Spec;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Options that set parameters of the rule or attack that a command was given, as in {@code --nu 0.1}. */
final class FreeOptions {
    private FreeOptions() {}

    /**
     * Returns the spec with the parameters given as options added to those in its text.
     *
     * @throws holdfast.InputException for an option that neither the command nor the entry has
     */
    static Spec addTo(Spec spec, Catalogue<?> catalogue, List<String> given, CommandSpec command) {
        if (!catalogue.names().contains(spec.name())) {
            return spec; // The catalogue will report it.
        }
        List<String> keys = catalogue.entries().stream()
                .filter(e -> e.name().equals(spec.name()))
                .flatMap(e -> e.parameters().keySet().stream())
                .toList();
        Set<String> seen = new HashSet<>();
        Spec all = spec;
        for (Iterator<String> rest = given.iterator(); rest.hasNext(); ) {
            String[] option = rest.next().split("=", 2);
            String key = option[0].replaceFirst("^--", "");
            Check.that(
                    option[0].startsWith("--") && keys.contains(key),
                    "unknown %s '%s'; known: %s",
                    option[0].startsWith("-") ? "option" : "argument",
                    option[0],
                    known(spec, keys, command));
            Check.that(option.length == 2 || rest.hasNext(), "--%s must be followed by a value, got none", key);
            Check.that(
                    seen.add(key) && !spec.parameters().containsKey(key), "--%s must be given once, got it twice", key);
            all = all.with(key, option.length == 2 ? option[1] : rest.next());
        }
        return all;
    }

    private static String known(Spec spec, List<String> keys, CommandSpec command) {
        Stream<String> own = command.options().stream().filter(o -> !o.hidden()).map(o -> o.longestName());
        String more = keys.stream().map(k -> "--" + k).collect(Collectors.joining(", "));
        return own.collect(Collectors.joining(", ")) + "; parameters of " + spec.name() + ": "
                + (more.isEmpty() ? "none" : more);
    }
}
