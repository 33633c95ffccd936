package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Version;
import holdfast.app.lab.Resource;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.paper.AmbiguityResults;
import holdfast.app.lab.paper.AscentPrecision;
import holdfast.app.lab.paper.Claims;
import holdfast.app.lab.paper.PaperResults;
import holdfast.app.lab.paper.PaperResults.SplitResults;
import holdfast.app.lab.paper.SoftmaxResults;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reproduction of the paper as text, as JSON and as one self-contained HTML page. */
public final class PaperReport implements ExperimentReport {
    static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

    private final PaperResults results;

    public PaperReport(PaperResults results) {
        this.results = results;
    }

    /** paper.json */
    @Override
    public ObjectNode json() {
        return PaperJson.of(results);
    }

    /** Table I beside the published numbers, in 80 columns, and the paper's statements that do not hold. */
    @Override
    public String text() {
        StringBuilder out = new StringBuilder();
        line(
                out,
                "%nTable I: misclassification rate, mean and sd over %d seed%s%n",
                results.seeds(),
                results.seeds() == 1 ? "" : "s");
        line(out, "%-16s %-35s %s", "", "class-sorted split", "iid split");
        line(out, "%-16s %-9s %-7s %-10s %-8s %-9s %s", "", "mean", "sd", "published", "differ.", "mean", "sd");
        results.classSorted()
                .table()
                .forEach((environment, row) -> row.forEach((algorithm, s) -> {
                    double published = PaperResults.published(environment, algorithm);
                    Statistic iid = results.iid().table().get(environment).get(algorithm);
                    line(
                            out,
                            "%-3s %-12s %-9.4f %-7.4f %-10.4f %-+8.4f %-9.4f %.4f",
                            environment,
                            algorithm,
                            s.mean(),
                            s.sd(),
                            published,
                            s.mean() - published,
                            iid.mean(),
                            iid.sd());
                }));
        line(
                out,
                "%nBest plan is plans/best.yaml; the number beside it is the best that was published for any algorithm.");
        line(
                out,
                "Mean difference to the paper, class-sorted: %.4f over the 16 cells that do not collapse, %.4f over%n"
                        + "the 4 that do (ERM and DRO in E1 and E2).",
                results.difference(false),
                results.difference(true));
        precision(out);
        softmax(out);
        ambiguity(out);
        results.splits().forEach((name, split) -> {
            List<Claims.Claim> claims = Claims.check(split);
            line(
                    out,
                    "%nThe paper's sentences, %s split: %d of %d hold",
                    name,
                    claims.stream().filter(Claims.Claim::holds).count(),
                    claims.size());
            claims.stream().filter(c -> !c.holds()).forEach(c -> {
                line(out, "  does not hold: %s", c.says());
                for (String numbers : c.numbers().split("; ")) {
                    line(out, "    %s", numbers);
                }
            });
        });
        return out.toString();
    }

    private void precision(StringBuilder out) {
        line(out, "%nAscent steps until every row is this close to its worst case (Algorithm 2 in E1, worst seed):");
        line(out, "%-10s %-33s %s", "", "class-sorted split", "iid split");
        line(out, "%-10s %-16s %-16s %-16s %s", "precision", "eta_z = 0.05", "1/lambda", "eta_z = 0.05", "1/lambda");
        List<AscentPrecision.Level> sorted = results.classSorted().precision().levels();
        List<AscentPrecision.Level> iid = results.iid().precision().levels();
        for (int i = 0; i < sorted.size(); i++) {
            AscentPrecision.Level a = sorted.get(i);
            AscentPrecision.Level b = iid.get(i);
            line(
                    out,
                    "%-10.0e %-16s %-16s %-16s %s",
                    a.epsilon(),
                    steps(a.steps(), a.bound()),
                    steps(a.fastSteps(), a.fastBound()),
                    steps(b.steps(), b.bound()),
                    steps(b.fastSteps(), b.fastBound()));
        }
        line(out, "In brackets: T_z by the paper's formula, with that rate's factor.");
    }

    private static String steps(int steps, int bound) {
        return (steps == AscentPrecision.NEVER ? "never" : Integer.toString(steps))
                + (bound == AscentPrecision.NEVER ? " (none)" : " (" + bound + ")");
    }

    private void softmax(StringBuilder out) {
        SoftmaxResults softmax = results.softmax();
        line(
                out,
                "%nSoftmax on Digits, ten classes: error, mean and standard error over %d seed%s",
                softmax.seeds(),
                softmax.seeds() == 1 ? "" : "s");
        line(out, "%-24s %-28s %s", "", "class-sorted split", "iid split");
        line(
                out,
                "%-24s %-13s %-14s %-13s %s",
                "",
                "as it is",
                softmax.shift() + " shift",
                "as it is",
                softmax.shift() + " shift");
        softmax.splits()
                .get(PaperResults.CLASS_SORTED)
                .forEach((attack, row) -> row.forEach((algorithm, sorted) -> {
                    SoftmaxResults.Cell iid =
                            softmax.splits().get(PaperResults.IID).get(attack).get(algorithm);
                    line(
                            out,
                            "%-12s %-11s %-13s %-14s %-13s %s",
                            attack,
                            algorithm,
                            value(softmax, sorted.plain()),
                            value(softmax, sorted.shifted()),
                            value(softmax, iid.plain()),
                            value(softmax, iid.shifted()));
                }));
    }

    private void ambiguity(StringBuilder out) {
        AmbiguityResults ambiguity = results.ambiguity();
        line(
                out,
                "%nOther ambiguity sets on Spambase: error, mean over %d seed%s; in E0 also the loss of the%n"
                        + "worst tenth of the rows and the error of the worst class",
                ambiguity.seeds(),
                ambiguity.seeds() == 1 ? "" : "s");
        ambiguity
                .splits()
                .forEach((split, rules) -> rules.forEach((rule, row) -> {
                    line(
                            out,
                            "%-25s %-7s %-7s %-7s %-7s %-7s %-7s %s",
                            split + ", " + (rule.equals("mean") ? "mean" : "screened"),
                            "E0",
                            "E1",
                            "E2",
                            "E3",
                            "E4",
                            "tenth",
                            "class");
                    row.forEach((objective, cell) -> line(
                            out,
                            "  %-23s %s %-7.3f %.3f",
                            objective,
                            cell.errors().values().stream()
                                    .map(s -> String.format(Locale.ROOT, "%-7.3f", s.mean()))
                                    .collect(Collectors.joining(" ")),
                            cell.worstTenth().mean(),
                            cell.worstClass().mean()));
                }));
    }

    private static String value(SoftmaxResults softmax, Statistic s) {
        return String.format(Locale.ROOT, "%.3f %.3f", s.mean(), softmax.error(s));
    }

    private static void line(StringBuilder out, String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args).stripTrailing()).append('\n');
    }

    @Override
    public String html() {
        return new Page("paper.html")
                .with("version", Version.current())
                .with("seeds", Integer.toString(results.seeds()))
                .with("sha256", results.dataHash())
                .with("table", table(results.classSorted(), true))
                .with("table-iid", table(results.iid(), false))
                .with("difference", String.format(Locale.ROOT, "%.4f", results.difference(false)))
                .with("difference-collapsed", String.format(Locale.ROOT, "%.4f", results.difference(true)))
                .with("precision", precisionTable(results.classSorted().precision()))
                .with("precision-iid", precisionTable(results.iid().precision()))
                .with("softmax", softmaxTable(PaperResults.CLASS_SORTED))
                .with("softmax-iid", softmaxTable(PaperResults.IID))
                .with("softmax-seeds", Integer.toString(results.softmax().seeds()))
                .with("softmax-shift", results.softmax().shift().toUpperCase(Locale.ROOT))
                .with("softmax-sha256", results.softmax().dataHash())
                .with("ambiguity", ambiguityTable(PaperResults.CLASS_SORTED))
                .with("ambiguity-iid", ambiguityTable(PaperResults.IID))
                .with("ambiguity-seeds", Integer.toString(results.ambiguity().seeds()))
                .with("claims", claims())
                .with("data", json().toString().replace("</", "<\\/"))
                .with("charts", Resource.text(PaperReport.class, "paper.js"))
                .with("echarts", Resource.text(PaperReport.class, ECHARTS))
                .html();
    }

    private static String table(SplitResults split, boolean withPublished) {
        StringBuilder out = new StringBuilder("<table><thead><tr><th></th>");
        PaperResults.ALGORITHMS.forEach(a -> out.append("<th>").append(a).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        split.table().forEach((environment, row) -> {
            out.append("<tr><th>").append(environment).append("</th>");
            PaperResults.ALGORITHMS.forEach(a -> {
                Statistic s = row.get(a);
                double published = PaperResults.published(environment, a);
                out.append(String.format(Locale.ROOT, "<td><b>%.4f</b> <small>± %.4f</small>", s.mean(), s.sd()));
                if (withPublished) {
                    out.append(String.format(
                            Locale.ROOT,
                            "<br><small>%spublished %.4f (%+.4f)</small>",
                            a.equals(PaperResults.BEST) ? "best " : "",
                            published,
                            s.mean() - published));
                }
                out.append("</td>");
            });
            out.append("</tr>\n");
        });
        return out.append("</tbody></table>").toString();
    }

    private static String precisionTable(AscentPrecision precision) {
        StringBuilder out = new StringBuilder("<table><thead><tr><th>precision</th><th>eta_z = 0.05</th>"
                + "<th>eta_z = 1/lambda</th></tr></thead><tbody>\n");
        precision
                .levels()
                .forEach(l -> out.append(String.format(
                        Locale.ROOT,
                        "<tr><th>%.0e</th><td>%s</td><td>%s</td></tr>%n",
                        l.epsilon(),
                        steps(l.steps(), l.bound()),
                        steps(l.fastSteps(), l.fastBound()))));
        return out.append("</tbody></table>").toString();
    }

    private String softmaxTable(String split) {
        SoftmaxResults softmax = results.softmax();
        StringBuilder out = new StringBuilder("<table><thead><tr><th></th>");
        Map<String, Map<String, SoftmaxResults.Cell>> table = softmax.splits().get(split);
        table.values()
                .iterator()
                .next()
                .keySet()
                .forEach(a -> out.append("<th>").append(a).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        table.forEach((attack, row) -> {
            out.append("<tr><th>").append(attack).append("</th>");
            row.values()
                    .forEach(cell -> out.append(String.format(
                            Locale.ROOT,
                            "<td><b>%.3f</b> <small>± %.3f</small><br>%.3f <small>± %.3f shifted</small></td>",
                            cell.plain().mean(),
                            softmax.error(cell.plain()),
                            cell.shifted().mean(),
                            softmax.error(cell.shifted()))));
            out.append("</tr>\n");
        });
        return out.append("</tbody></table>").toString();
    }

    private String ambiguityTable(String split) {
        StringBuilder out = new StringBuilder("<table><thead><tr><th></th>");
        AmbiguityResults.ENVIRONMENTS.forEach(e -> out.append("<th>").append(e).append("</th>"));
        out.append("<th>worst tenth</th><th>worst class</th></tr></thead><tbody>\n");
        results.ambiguity()
                .splits()
                .get(split)
                .forEach((rule, row) -> row.forEach((objective, cell) -> {
                    out.append("<tr><th>")
                            .append(objective)
                            .append("<br><small>")
                            .append(rule)
                            .append("</small></th>");
                    Stream.concat(cell.errors().values().stream(), Stream.of(cell.worstTenth(), cell.worstClass()))
                            .forEach(s -> out.append(String.format(
                                    Locale.ROOT, "<td>%.3f <small>± %.3f</small></td>", s.mean(), s.sd())));
                    out.append("</tr>\n");
                }));
        return out.append("</tbody></table>").toString();
    }

    private String claims() {
        StringBuilder out = new StringBuilder(
                "<table class=\"claims\"><thead><tr><th>The paper says</th><th>class-sorted split</th><th>iid split</th></tr></thead><tbody>\n");
        List<Claims.Claim> sorted = Claims.check(results.classSorted());
        List<Claims.Claim> iid = Claims.check(results.iid());
        for (int i = 0; i < sorted.size(); i++) {
            Claims.Claim c = sorted.get(i);
            out.append("<tr><td>")
                    .append(c.says())
                    .append("<br><small>Holds if ")
                    .append(c.criterion().replace(">", "&gt;"))
                    .append(".</small></td>")
                    .append(verdict(c))
                    .append(verdict(iid.get(i)))
                    .append("</tr>\n");
        }
        return out.append("</tbody></table>").toString();
    }

    private static String verdict(Claims.Claim claim) {
        return (claim.holds() ? "<td class=\"holds\"><b>holds</b>" : "<td class=\"fails\"><b>does not</b>")
                + "<br><small>" + claim.numbers() + "</small></td>";
    }
}
