package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.Version;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.sources.Finding;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.TableProfile;
import holdfast.sources.Verdict;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a table holds before training, as text, as JSON and as a page.
 *
 * @param profile rows, labels and columns by source
 * @param verdicts on the sources; none if there are too few to compare
 * @param warnings from reading the table
 */
public record ProfileReport(
        Table table, Plan plan, TableProfile profile, List<Verdict> verdicts, List<String> warnings) {
    /** More sources of a column are in JSON and on the page only. */
    private static final int MAX_LINES = 20;

    private static final int NAME = 20;

    /** Looks at a table. */
    public static ProfileReport of(Table table, Plan plan, List<String> warnings) {
        int sources = table.schema().groups().size();
        boolean compared = table.cells().hasGroups()
                && sources >= SourceVerdicts.MIN_SOURCES
                && !table.cells().sparse();
        return new ProfileReport(
                table,
                plan,
                TableProfile.of(table),
                compared
                        ? SourceVerdicts.of(
                                sample(table), plan.model(table.schema()).target(), plan.seed())
                        : List.of(),
                warnings);
    }

    /** Returns rows of each source, evenly spread over it, that are enough to compare them. */
    private static Table sample(Table table) {
        List<int[]> bySource = table.cells().rowsBySource();
        int most = SourceVerdicts.rowsPerSource(table.cells().columns(), bySource.size());
        int[] chosen = bySource.stream()
                .flatMapToInt(rows -> IntStream.range(0, Math.min(most, rows.length))
                        .map(i -> rows[(int) ((long) i * rows.length / Math.min(most, rows.length))]))
                .sorted()
                .toArray();
        return chosen.length == table.rows()
                ? table
                : table.with(table.columns(), table.cells().select(chosen));
    }

    private Stream<String> findings() {
        return verdicts.stream()
                .flatMap(verdict -> verdict.findings().stream()
                        .map(finding -> verdict.source() + " " + finding.verdict() + ": " + finding.words()));
    }

    private String headline() {
        List<String> classes = table.schema().classes();
        return String.format(
                Locale.ROOT,
                "%d rows%s, %d columns, label %s (%s)%s",
                table.rows(),
                profile.rows() < table.rows() ? " (the first " + profile.rows() + " are shown)" : "",
                profile.columns().size(),
                table.schema().label(),
                classes.isEmpty() ? "numbers" : String.join(", ", classes.subList(0, Math.min(10, classes.size()))),
                table.cells().hasGroups()
                        ? ", " + profile.sources().size() + " sources by "
                                + plan.get(PlanKey.WORKERS_BY).orElse("")
                        : "");
    }

    /** Returns the report for a terminal. */
    public String text() {
        StringBuilder out = new StringBuilder(table.source().name())
                .append(": ")
                .append(printable(headline()))
                .append("\n\n");
        out.append(String.format(
                "%-" + NAME + "s %8s %9s %9s  %s%n",
                "source",
                "rows",
                "repeated",
                "elsewhere",
                printable(labelHead())));
        limited(profile.sources())
                .forEach(source -> out.append(String.format(
                        "%-" + NAME + "s %8d %9d %9d  %s%n",
                        cut(source.name()),
                        source.rows(),
                        source.repeated(),
                        source.shared(),
                        labels(source))));
        out.append(more(profile.sources().size()));
        for (UnusableSource source : table.unusable()) {
            out.append(String.format("%-" + NAME + "s unusable: %s%n", cut(source.name()), printable(source.reason())));
        }
        for (TableProfile.Column column : profile.columns()) {
            out.append(String.format("%n%s (%s)%n", printable(column.name()), column.type()));
            out.append(line("all", column, column.all()));
            if (profile.sources().size() > 1) {
                for (int s = 0; s < Math.min(MAX_LINES, profile.sources().size()); s++) {
                    out.append(line(
                            profile.sources().get(s).name(),
                            column,
                            column.bySource().get(s)));
                }
                out.append(more(profile.sources().size()));
            }
        }
        out.append("\nStands out: ")
                .append(
                        verdicts.isEmpty()
                                ? "not asked; at least " + SourceVerdicts.MIN_SOURCES
                                        + " sources are needed (--workers-by)"
                                : findings().findAny().isEmpty() ? "no source" : "")
                .append('\n');
        SourceVerdicts.labelsNotCompared(verdicts)
                .ifPresent(why -> out.append("  ").append(why).append('\n'));
        findings().forEach(finding -> out.append("  ").append(finding).append('\n'));
        out.append("Warnings: ").append(warnings.isEmpty() ? "none" : "").append('\n');
        warnings.forEach(warning -> out.append("  ").append(warning).append('\n'));
        return out.toString();
    }

    private static <T> Stream<T> limited(List<T> all) {
        return all.stream().limit(MAX_LINES);
    }

    private static String more(int sources) {
        return sources > MAX_LINES ? "and " + (sources - MAX_LINES) + " more; --json and --report have them all\n" : "";
    }

    private String labelHead() {
        List<String> classes = table.schema().classes();
        return classes.isEmpty()
                ? table.schema().label() + ": least, median, most"
                : classes.size() == 2
                        ? "share of " + table.schema().label() + " = " + classes.get(1)
                        : "share of " + String.join(", ", classes);
    }

    private String labels(TableProfile.Source source) {
        if (source.labels().isEmpty()) {
            TableProfile.Cells values = source.values();
            return number(values.least()) + ", " + number(values.median()) + ", " + number(values.most());
        }
        return source.labels().stream()
                .skip(source.labels().size() == 2 ? 1 : 0)
                .map(count -> String.format(Locale.ROOT, "%.3f", count / Math.max(1.0, source.rows())))
                .collect(Collectors.joining(", "));
    }

    private static String line(String source, TableProfile.Column column, TableProfile.Cells cells) {
        return String.format(
                                Locale.ROOT,
                                "  %-" + (NAME - 2) + "s %8s missing  %s",
                                cut(source),
                                cells.missing(),
                                range(column, cells))
                        .stripTrailing()
                + "\n";
    }

    /** Returns the range of numbers and dates; of text, the number of values and the most frequent one. */
    private static String range(TableProfile.Column column, TableProfile.Cells cells) {
        if (cells.missing() == cells.count()) {
            return "";
        }
        return column.type().equals("text")
                ? cells.distinct() + " values, mostly " + printable(cells.common())
                : Stream.of(cells.least(), cells.median(), cells.most())
                        .map(value -> value(column, value))
                        .collect(Collectors.joining(" .. "));
    }

    private static String value(TableProfile.Column column, double value) {
        return column.type().equals("date")
                ? LocalDate.ofEpochDay((long) Math.floor(value)).toString()
                : number(value);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? Spec.print(value)
                : String.format(Locale.ROOT, "%.4g", value);
    }

    private static String cut(String name) {
        String shown = printable(name);
        return shown.length() <= NAME - 2 ? shown : shown.substring(0, NAME - 3) + "~";
    }

    /** Returns text from data in a form that cannot move the cursor of a terminal. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns all numbers. */
    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("data", table.source().name());
        root.put("sha256", table.source().sha256());
        root.put("rows", table.rows());
        root.put("rows_shown", profile.rows());
        root.put("label", table.schema().label());
        ArrayNode classes = root.putArray("classes");
        table.schema().classes().forEach(classes::add);
        ArrayNode sources = root.putArray("sources");
        for (int s = 0; s < profile.sources().size(); s++) {
            TableProfile.Source source = profile.sources().get(s);
            ObjectNode node = sources.addObject();
            node.put("source", source.name());
            node.put("rows", source.rows());
            node.put("repeated", source.repeated());
            node.put("elsewhere", source.shared());
            if (source.labels().isEmpty()) {
                put(node.putObject("labels"), source.values(), "number");
            } else {
                ObjectNode counts = node.putObject("classes");
                IntStream.range(0, source.labels().size())
                        .forEach(k -> counts.put(
                                table.schema().classes().get(k), source.labels().get(k)));
            }
            if (!verdicts.isEmpty()) {
                ArrayNode findings = node.putArray("findings");
                for (Finding finding : verdicts.get(s).findings()) {
                    ObjectNode found = findings.addObject();
                    found.put("kind", finding.kind().key());
                    finding.column().ifPresent(column -> found.put("column", column));
                    found.put("words", finding.words());
                    found.put("p_value", finding.pValue());
                }
            }
        }
        if (!verdicts.isEmpty()) {
            root.put(
                    "labels_compared",
                    SourceVerdicts.labelsNotCompared(verdicts).isEmpty());
        }
        ArrayNode unusable = root.putArray("unusable");
        table.unusable()
                .forEach(source ->
                        unusable.addObject().put("source", source.name()).put("reason", source.reason()));
        ArrayNode columns = root.putArray("columns");
        for (TableProfile.Column column : profile.columns()) {
            ObjectNode node = columns.addObject();
            node.put("name", column.name());
            node.put("type", column.type());
            put(node, column.all(), column.type());
            ObjectNode bySource = node.putObject("by_source");
            for (int s = 0; s < profile.sources().size(); s++) {
                put(
                        bySource.putObject(profile.sources().get(s).name()),
                        column.bySource().get(s),
                        column.type());
            }
        }
        ArrayNode said = root.putArray("warnings");
        warnings.forEach(said::add);
        return root;
    }

    private static void put(ObjectNode node, TableProfile.Cells cells, String type) {
        node.put("missing", cells.missing());
        node.put("distinct", cells.distinct());
        if (type.equals("text")) {
            node.put("most_frequent", cells.common());
        } else {
            JsonText.put(node, "min", cells.least());
            JsonText.put(node, "median", cells.median());
            JsonText.put(node, "max", cells.most());
        }
    }

    /** Returns a page that needs no network and no script. */
    public String html() {
        StringBuilder sources = new StringBuilder("<table><thead><tr>")
                .append(heads("Source", "Rows", "Repeated", "Elsewhere", labelHead()))
                .append("</tr></thead><tbody>\n");
        for (TableProfile.Source source : profile.sources()) {
            sources.append("<tr><th scope=\"row\">")
                    .append(Page.name(source.name()))
                    .append("</th>")
                    .append(cells(
                            Integer.toString(source.rows()),
                            Integer.toString(source.repeated()),
                            Integer.toString(source.shared()),
                            labels(source)))
                    .append("</tr>\n");
        }
        sources.append("</tbody></table>");
        StringBuilder columns = new StringBuilder();
        for (TableProfile.Column column : profile.columns()) {
            columns.append("<details><summary>")
                    .append(Page.name(column.name()))
                    .append(" (")
                    .append(column.type())
                    .append("), ")
                    .append(column.all().missing())
                    .append(" missing, ")
                    .append(Page.escaped(range(column, column.all())))
                    .append("</summary>\n<table><thead><tr>")
                    .append(heads(
                            "Source", "Missing", column.type().equals("text") ? "Values" : "Least .. median .. most"))
                    .append("</tr></thead><tbody>\n");
            for (int s = 0; s < profile.sources().size(); s++) {
                TableProfile.Cells own = column.bySource().get(s);
                columns.append("<tr><th scope=\"row\">")
                        .append(Page.name(profile.sources().get(s).name()))
                        .append("</th>")
                        .append(cells(Integer.toString(own.missing()), range(column, own)))
                        .append("</tr>\n");
            }
            columns.append("</tbody></table></details>\n");
        }
        List<String> out = new ArrayList<>(findings().toList());
        SourceVerdicts.labelsNotCompared(verdicts).ifPresent(out::add);
        table.unusable().forEach(source -> out.add(source.name() + " unusable: " + source.reason()));
        return new Page("profile.html")
                .with("data", Page.name(table.source().name()))
                .with("headline", Page.escaped(headline()))
                .with("sources", sources)
                .with("columns", columns)
                .with(
                        "findings",
                        list(out, verdicts.isEmpty() ? "Sources were not compared." : "No source stands out."))
                .with("warnings", list(warnings, "There are no warnings."))
                .with("sha256", table.source().sha256())
                .with("version", Page.escaped(Version.current()))
                .html();
    }

    private static String heads(String... names) {
        return Stream.of(names)
                .map(name -> "<th>" + Page.escaped(name) + "</th>")
                .collect(Collectors.joining());
    }

    private static String cells(String... texts) {
        return Stream.of(texts)
                .map(text -> "<td>" + Page.escaped(text) + "</td>")
                .collect(Collectors.joining());
    }

    private static String list(List<String> lines, String none) {
        return lines.isEmpty()
                ? "<p>" + none + "</p>"
                : lines.stream()
                        .map(line -> "<li>" + Page.escaped(line) + "</li>")
                        .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>"));
    }
}
