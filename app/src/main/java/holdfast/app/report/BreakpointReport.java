package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Version;
import holdfast.app.lab.redteam.Breakpoints;
import holdfast.app.lab.redteam.Breakpoints.RuleBreakpoint;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** The fewest liars that defeat each rule, as a table for the terminal and as JSON. */
public final class BreakpointReport {
    private final Breakpoints search;
    private final List<RuleBreakpoint> found;

    public BreakpointReport(Breakpoints search, List<RuleBreakpoint> found) {
        this.search = search;
        this.found = found;
    }

    /** The table for the terminal. */
    public String text() {
        int width = found.stream().mapToInt(f -> f.rule().length()).reduce(19, Math::max);
        String line = "%-" + width + "s  %-14s %-14s %-14s %s";
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%nThe smallest share of %d workers that defeats a rule by lying, and their number.%n"
                        + "Proven: the smallest that no proof covers. Round: honest updates are equal, and the attack%n"
                        + "strongest turns the step so that it no longer descends. Trained: the model is no better than%n"
                        + "guessing, after the first of these attacks that succeeds: %s.%n%n" + line + "%n",
                search.workers(),
                String.join(", ", Breakpoints.ATTACKS),
                "rule",
                "proven",
                "round",
                "trained",
                "by"));
        found.forEach(f -> out.append(String.format(
                                Locale.ROOT,
                                line,
                                f.rule(),
                                f.proof().isEmpty() ? "-" : count(f.proven()),
                                count(f.round()),
                                count(f.trained()),
                                f.by().orElse(""))
                        .stripTrailing())
                .append('\n'));
        return out.toString();
    }

    private String count(OptionalInt liars) {
        return liars.isEmpty()
                ? "none"
                : String.format(
                        Locale.ROOT, "%.3f (%d)", (double) liars.getAsInt() / search.workers(), liars.getAsInt());
    }

    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("holdfast", Version.current());
        root.put("data", search.data().name());
        root.put("sha256", search.data().sha256());
        root.put("workers", search.workers());
        root.put("seeds", search.seeds());
        Breakpoints.ATTACKS.forEach(root.putArray("attacks")::add);
        ObjectNode settings = root.putObject("plan");
        search.plan().settings().forEach(settings::put);
        ArrayNode list = root.putArray("rules");
        found.forEach(f -> {
            ObjectNode line = list.addObject().put("rule", f.rule());
            f.proof().ifPresent(source -> {
                put(line, "proven", f.proven());
                line.put("source", source);
            });
            put(line, "round", f.round());
            put(line, "trained", f.trained());
            line.put("by", f.by().orElse(null));
        });
        return root;
    }

    private static void put(ObjectNode line, String key, OptionalInt liars) {
        line.put(key, liars.isEmpty() ? null : liars.getAsInt());
    }
}
