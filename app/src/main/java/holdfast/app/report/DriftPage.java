package holdfast.app.report;

import holdfast.Version;
import holdfast.evaluation.ColumnDrift;
import holdfast.evaluation.EstimatedError;
import holdfast.evaluation.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The page of {@code drift}. */
record DriftPage(DriftReport report) {
    String html() {
        return new Page("drift.html")
                .with("data", Page.name(report.file()))
                .with("headline", Page.escaped(report.headline()))
                .with("outside", Page.escaped(report.outside()))
                .with("whole", Page.escaped(report.whole()))
                .with("certificate", Page.escaped(report.certificate()))
                .with("promises", promises())
                .with("estimate", report.estimate().map(Page::escaped).orElse("The model gives no probabilities."))
                .with("columns", columns())
                .with("legend", Page.escaped(report.legend()))
                .with(
                        "groups",
                        groups("By source", "source", report.sources(), false)
                                + groups("Over time", report.timeColumn(), report.times(), true))
                .with("sha256", report.later().rows().source().sha256())
                .with("version", Page.escaped(Version.current()))
                .html();
    }

    private String promises() {
        return report.promises().isEmpty()
                ? ""
                : table(
                        List.of("rho", "Loss at most", "About"),
                        report.promises().stream()
                                .map(p -> List.of(
                                        Page.escaped(DriftReport.down(p.rho())),
                                        Page.escaped(Scores.atMost(p.loss())),
                                        Page.escaped(p.why())))
                                .toList());
    }

    private String columns() {
        Drawing.Scale scale = new Drawing.Scale(
                0,
                report.columns().stream().mapToDouble(ColumnDrift::effect).max().orElse(1));
        List<String> head = new ArrayList<>(report.columnHead());
        head.add(1, "");
        return table(
                head,
                report.columns().stream()
                        .map(column -> {
                            List<String> cells = new ArrayList<>(report.cells(column).stream()
                                    .map(Page::escaped)
                                    .toList());
                            cells.set(0, Page.name(column.column()));
                            cells.add(1, Drawing.bar(scale, column.effect(), Optional.empty(), "weight"));
                            return cells;
                        })
                        .toList());
    }

    /** A table of groups with a dot and its interval for each, and over time a line of the same figure. */
    private String groups(String title, String head, List<RowGroup> groups, boolean line) {
        if (groups.isEmpty()) {
            return "";
        }
        Drawing.Scale scale = new Drawing.Scale(
                0,
                groups.stream()
                        .flatMapToDouble(g -> DoubleStream.of(
                                value(g),
                                g.measured()
                                        .flatMap(e -> e.interval(e.headlineMetric()))
                                        .map(i -> i.high())
                                        .orElse(0.0)))
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1));
        List<List<String>> lines = report.lines(head, groups);
        List<String> names = new ArrayList<>(lines.get(0));
        names.add("");
        List<List<String>> cells = IntStream.range(0, groups.size())
                .mapToObj(g -> {
                    List<String> own = new ArrayList<>(
                            lines.get(g + 1).stream().map(Page::escaped).toList());
                    own.set(0, Page.name(groups.get(g).name()));
                    own.add(Drawing.dotAndWhisker(
                            scale,
                            value(groups.get(g)),
                            groups.get(g).measured().flatMap(e -> e.interval(e.headlineMetric())),
                            value(report.all())));
                    return own;
                })
                .toList();
        String curve = !line || groups.size() < 2
                ? ""
                : "<div class=\"curve\"><div class=\"up\"><span>" + Scores.brief(scale.high())
                        + "</span><span>0</span></div>"
                        + Drawing.line(
                                new Drawing.Scale(0, groups.size() - 1),
                                scale,
                                IntStream.range(0, groups.size())
                                        .filter(g -> Double.isFinite(value(groups.get(g))))
                                        .mapToObj(g -> new double[] {g, value(groups.get(g))})
                                        .toList())
                        + "</div><p><small>From " + Page.escaped(groups.get(0).name()) + " to "
                        + Page.escaped(groups.get(groups.size() - 1).name()) + ".</small></p>";
        return "<section><h2>" + title + "</h2><p>"
                + (report.all().measured().isPresent()
                        ? "The dot is the " + report.all().measured().get().headlineMetric()
                                + " with its 95 % interval, the thin line that of all rows."
                        : "Without labels: the dot is the estimated error, the thin line that of all rows.")
                + "</p>" + curve + table(names, cells) + "</section>";
    }

    private static double value(RowGroup group) {
        return group.measured()
                .map(Evaluation::headline)
                .or(() -> group.estimated().map(EstimatedError::error))
                .orElse(Double.NaN);
    }

    /** @param rows cells as HTML */
    private static String table(List<String> head, List<List<String>> rows) {
        return "<div class=\"wide\"><table><thead><tr>"
                + head.stream()
                        .map(name -> "<th>" + Page.escaped(name) + "</th>")
                        .collect(Collectors.joining())
                + "</tr></thead><tbody>\n"
                + rows.stream()
                        .map(row -> "<tr><th scope=\"row\">" + row.get(0) + "</th>"
                                + row.stream()
                                        .skip(1)
                                        .map(cell -> "<td>" + cell + "</td>")
                                        .collect(Collectors.joining())
                                + "</tr>\n")
                        .collect(Collectors.joining())
                + "</tbody></table></div>";
    }
}
