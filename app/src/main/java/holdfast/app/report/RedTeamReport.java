package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Version;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.redteam.RedTeamPlan;
import holdfast.app.lab.redteam.RedTeamPlan.Case;
import holdfast.app.lab.redteam.RedTeamResults;
import holdfast.app.lab.redteam.RedTeamResults.Cell;
import holdfast.app.lab.redteam.RedTeamResults.Verdict;
import holdfast.evaluation.Metric;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The red team's results as text, as JSON and as one HTML page with a heat map per rule. */
public final class RedTeamReport {
    private final RedTeamResults results;

    public RedTeamReport(RedTeamResults results) {
        this.results = results;
    }

    public String text() {
        StringBuilder out = new StringBuilder();
        RedTeamPlan plan = results.plan();
        line(
                out,
                "%nRed team on %s: %d workers, rules set up for f = %d, %d seed%s.",
                results.data().name(),
                results.workers(),
                results.tolerated(),
                plan.seeds(),
                plan.seeds() == 1 ? "" : "s");
        line(
                out,
                "%s, mean and sd over seeds. Attacks: %d, shifts: %d, liars: %s.",
                results.metric() == Metric.ERROR ? "Misclassification rate" : results.metric(),
                plan.attacks().size(),
                plan.shifts().size(),
                plan.liars().stream().map(Object::toString).collect(Collectors.joining(", ")));
        List<Verdict> verdicts = results.verdicts();
        int rules = width(10, verdicts, Verdict::rule);
        int clean = width(7, verdicts, v -> print(v.clean().error().mean()));
        int worst = width(15, verdicts, v -> print(v.worst().error()));
        String format = "%-" + rules + "s  %-" + clean + "s %-" + worst + "s %s";
        line(out, "%n" + format, "rule", "clean", "worst case", "by");
        for (Verdict v : verdicts) {
            line(
                    out,
                    format,
                    v.rule(),
                    print(v.clean().error().mean()),
                    print(v.worst().error()),
                    by(v.worst()));
        }
        line(out, "%n%s", winner());
        natural(out);
        results.refused().forEach((rule, why) -> line(out, "not tried: %s", why));
        return out.toString();
    }

    /** A table of rules by natural shifts, without liars. */
    private void natural(StringBuilder out) {
        List<String> heads = naturalHeads();
        if (heads.isEmpty()) {
            return;
        }
        List<Verdict> verdicts = results.verdicts();
        int rules = width(10, verdicts, Verdict::rule);
        line(
                out,
                "%nNatural shifts, no liars%s:",
                results.newSources().isEmpty()
                        ? ""
                        : " (new sources: each of " + results.plan().sourceGroups()
                                + " groups of sources tested by a model of the others)");
        line(out, "%-" + rules + "s  %s", "rule", String.join("  ", heads));
        for (Verdict v : verdicts) {
            List<String> cells = naturalCells(v.rule());
            line(
                    out,
                    "%-" + rules + "s  %s",
                    v.rule(),
                    IntStream.range(0, cells.size())
                            .mapToObj(i -> String.format(
                                    "%-" + Math.max(1, heads.get(i).length()) + "s", cells.get(i)))
                            .collect(Collectors.joining("  ")));
        }
    }

    private List<String> naturalHeads() {
        return Stream.concat(
                        results.natural().stream().map(results.shifts()::get),
                        results.newSources().isEmpty() ? Stream.of() : Stream.of("new sources"))
                .toList();
    }

    private List<String> naturalCells(String rule) {
        return Stream.concat(
                        results.natural(rule).stream().map(Cell::error).map(s -> print(s.mean())),
                        results.newSources().isEmpty()
                                ? Stream.of()
                                : Stream.of(results.newSources(rule)
                                        .map(s -> print(s.mean()))
                                        .orElse("-")))
                .toList();
    }

    private static int width(int least, List<Verdict> verdicts, Function<Verdict, String> cell) {
        return verdicts.stream().map(cell).mapToInt(String::length).reduce(least, Math::max);
    }

    private String winner() {
        List<Verdict> verdicts = results.verdicts();
        Statistic margin = results.margin();
        if (margin == null) {
            return "Only one rule was tried.";
        }
        String first = verdicts.get(0).rule();
        String second = verdicts.get(1).rule();
        if (!Double.isFinite(verdicts.get(1).worst().error().mean())) {
            return Double.isFinite(verdicts.get(0).worst().error().mean())
                    ? "Winner: " + first + ", the only one that is never left without a model."
                    : "No winner: every rule can be left without a model.";
        }
        boolean clear = margin.mean() > 0 && (results.plan().seeds() == 1 || margin.mean() > margin.sd());
        return clear
                ? "Winner: " + first + ". Its worst case is better than that of " + second + " by " + print(margin)
                        + "."
                : "No clear winner: the worst cases of " + first + " and " + second + " differ by " + print(margin)
                        + ".";
    }

    /** Prints the mean with its standard deviation, unless there is only one seed. */
    private String print(Statistic s) {
        return results.plan().seeds() == 1 || !Double.isFinite(s.mean())
                ? print(s.mean())
                : print(s.mean()) + " ± " + print(s.sd());
    }

    private static String print(double error) {
        return Double.isFinite(error)
                ? String.format(Locale.ROOT, Math.abs(error) < 1e5 ? "%.4f" : "%.4g", error)
                : "no model";
    }

    private String by(Cell cell) {
        String shift = results.name(cell.shift());
        return (cell.at().liars() == 0
                        ? "no attack"
                        : cell.at().attack() + " of " + cell.at().liars())
                + ", "
                + (shift.equals("none") ? "no shift" : shift);
    }

    private static void line(StringBuilder out, String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args).stripTrailing()).append('\n');
    }

    public String html() {
        StringBuilder maps = new StringBuilder();
        results.verdicts().forEach(v -> map(maps, v));
        return new Page("redteam.html")
                .with("version", Version.current())
                .with("data", Page.escaped(results.data().name()))
                .with("sha256", results.data().sha256())
                .with("workers", Integer.toString(results.workers()))
                .with("f", Integer.toString(results.tolerated()))
                .with(
                        "seeds",
                        results.plan().seeds() == 1
                                ? "one seed"
                                : results.plan().seeds() + " seeds")
                .with(
                        "metric",
                        results.metric() == Metric.ERROR
                                ? "misclassification rate"
                                : results.metric().toString())
                .with("none", results.metric() == Metric.ERROR ? "1" : "infinite")
                .with("winner", Page.escaped(winner()))
                .with("ranking", ranking())
                .with("groups", results.plan().sourceGroups())
                .with("natural", naturalTable())
                .with("overview", overview())
                .with("maps", maps)
                .with(
                        "plan",
                        Page.escaped(results.plan().settings().entrySet().stream()
                                .map(e -> e.getKey() + ": " + e.getValue())
                                .collect(Collectors.joining("\n"))))
                .html();
    }

    private String ranking() {
        StringBuilder out = new StringBuilder();
        results.verdicts()
                .forEach(v -> out.append("<tr><th>")
                        .append(Page.escaped(v.rule()))
                        .append("</th>")
                        .append(plain(v.clean()))
                        .append(plain(v.worst()))
                        .append("<td>")
                        .append(Page.escaped(by(v.worst())))
                        .append("</td></tr>\n"));
        results.refused()
                .forEach((rule, why) -> out.append("<tr><th>")
                        .append(Page.escaped(rule))
                        .append("</th><td colspan=\"3\">not tried: ")
                        .append(Page.escaped(why))
                        .append("</td></tr>\n"));
        return out.toString();
    }

    private String naturalTable() {
        StringBuilder out = new StringBuilder("<thead><tr><th>Rule</th>");
        naturalHeads()
                .forEach(head -> out.append("<th>").append(Page.escaped(head)).append("</th>"));
        out.append("</tr></thead>\n<tbody>\n");
        for (Verdict v : results.verdicts()) {
            out.append("<tr><th>").append(Page.escaped(v.rule())).append("</th>");
            naturalCells(v.rule())
                    .forEach(cell -> out.append("<td>").append(cell).append("</td>"));
            out.append("</tr>\n");
        }
        return out.append("</tbody>").toString();
    }

    private String plain(Cell cell) {
        return "<td>" + print(cell.error()) + "</td>";
    }

    /** A table of rules by attacks; each field is the worst over all shifts and numbers of liars. */
    private String overview() {
        StringBuilder out = new StringBuilder("<table class=\"heat\"><thead><tr><th></th><th><span>none</span></th>");
        List<String> attacks = results.plan().attacks();
        attacks.forEach(a -> out.append("<th><span>").append(Page.escaped(a)).append("</span></th>"));
        out.append("</tr></thead><tbody>\n");
        for (Verdict v : results.verdicts()) {
            List<Cell> cells = results.cells(v.rule());
            out.append("<tr><th>").append(Page.escaped(v.rule())).append("</th>");
            out.append(field(worst(cells, "none")));
            attacks.forEach(a -> out.append(field(worst(cells, a))));
            out.append("</tr>\n");
        }
        return out.append("</tbody></table>").toString();
    }

    private static Cell worst(List<Cell> cells, String attack) {
        return cells.stream()
                .filter(c -> c.at().attack().equals(attack))
                .max(Comparator.comparingDouble(c -> c.error().mean()))
                .orElseThrow();
    }

    private void map(StringBuilder out, Verdict v) {
        out.append("<figure><figcaption>").append(Page.escaped(v.rule())).append("</figcaption>\n");
        out.append("<table class=\"heat\"><thead><tr><th></th>");
        results.shifts()
                .forEach(s -> out.append("<th><span>").append(Page.escaped(s)).append("</span></th>"));
        out.append("</tr></thead><tbody>\n");
        for (Case at : results.errors().keySet()) {
            if (at.rule().equals(v.rule())) {
                out.append("<tr><th>")
                        .append(at.liars() == 0 ? "no attack" : at.liars() + " × " + Page.escaped(at.attack()))
                        .append("</th>");
                IntStream.range(0, results.plan().shifts().size()).forEach(i -> out.append(field(results.cell(at, i))));
                out.append("</tr>\n");
            }
        }
        out.append("</tbody></table></figure>\n");
    }

    /** A coloured field. Its tooltip shows the case and the standard deviation. */
    private String field(Cell cell) {
        Statistic s = cell.error();
        // From guessing upwards all fields are equally dark.
        double share = Math.min(1, s.mean() / Math.max(results.guessing(), Double.MIN_NORMAL));
        return String.format(
                Locale.ROOT,
                "<td style=\"background:hsl(%.0f 70%% %.0f%%);color:%s\" title=\"%s: %s\">%s</td>",
                48 - 48 * share,
                95 - 57 * share,
                share > 0.6 ? "#fff" : "#1d2733",
                Page.escaped(by(cell)),
                print(s),
                Double.isFinite(s.mean())
                        ? String.format(Locale.ROOT, s.mean() < 100 ? "%.2f" : "%.3g", s.mean())
                        : "-");
    }

    /** redteam.json */
    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("holdfast", Version.current());
        root.put("data", results.data().name());
        root.put("sha256", results.data().sha256());
        root.put("workers", results.workers());
        root.put("metric", results.metric().key());
        root.put("guessing", results.guessing());
        ObjectNode settings = root.putObject("plan");
        results.plan().settings().forEach(settings::put);
        ArrayNode ranking = root.putArray("ranking");
        results.verdicts().forEach(v -> {
            ObjectNode line = ranking.addObject().put("rule", v.rule());
            put(line.putObject("clean"), v.clean());
            put(line.putObject("worst"), v.worst());
            results.newSources(v.rule()).ifPresent(s -> put(line.putObject("new_sources"), s));
        });
        if (results.margin() != null) {
            put(root.putObject("margin"), results.margin());
        }
        ObjectNode refused = root.putObject("refused");
        results.refused().forEach(refused::put);
        ArrayNode cells = root.putArray("cells");
        results.plan()
                .rules()
                .forEach(rule -> results.cells(rule)
                        .forEach(cell -> put(cells.addObject().put("rule", rule), cell)));
        return root;
    }

    private void put(ObjectNode node, Cell cell) {
        node.put("attack", cell.at().attack());
        node.put("liars", cell.at().liars());
        node.put("shift", cell.shift());
        node.put("shift_name", results.name(cell.shift()));
        put(node, cell.error());
    }

    /** The error of a training without a model is infinite, hence null. */
    private static void put(ObjectNode node, Statistic s) {
        JsonText.put(node, "mean", s.mean());
        JsonText.put(node, "sd", s.sd());
    }
}
