package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.Version;
import holdfast.app.lab.Resource;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.paper.Figure;
import holdfast.app.lab.paper.NetworkResults;
import holdfast.app.lab.paper.NetworkResults.Environment;
import holdfast.app.lab.paper.NetworkResults.Subject;
import holdfast.app.lab.paper.PaperResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The paper's environments with a network as text, as JSON and as one self-contained HTML page. */
public final class NetworkReport implements ExperimentReport {
    private final NetworkResults results;

    public NetworkReport(NetworkResults results) {
        this.results = results;
    }

    /** Table I for each data set, in 80 columns. */
    @Override
    public String text() {
        StringBuilder out = new StringBuilder();
        for (Subject subject : results.subjects()) {
            line(
                    out,
                    "%n%s on %s, lambda = %s: misclassification rate, mean and sd over %d seed%s;%n"
                            + "shifts of %s, found by projected gradient steps, so a lower bound; 1 if training diverges%n",
                    results.model(),
                    subject.name(),
                    Spec.print(subject.lambda()),
                    results.seeds(),
                    results.seeds() == 1 ? "" : "s",
                    Spec.print(subject.budget()));
            line(out, "%-16s %-20s %s", "", "class-sorted split", "iid split");
            NetworkResults.ENVIRONMENTS.forEach(e -> PaperResults.ALGORITHMS.forEach(algorithm -> line(
                    out,
                    "%-3s %-12s %-20s %s",
                    e.name(),
                    algorithm,
                    cell(subject.error(PaperResults.CLASS_SORTED, e, algorithm)),
                    cell(subject.error(PaperResults.IID, e, algorithm)))));
        }
        return out.toString();
    }

    /**
     * nonconvex.json: {@code tables[data][split][environment][algorithm]}, and errors against the budget as the page draws them, {@code
     * figure1} and so on.
     */
    @Override
    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("holdfast", Version.current());
        root.put("seeds", results.seeds());
        root.put("model", results.model());
        ObjectNode tables = root.putObject("tables");
        int number = 0;
        for (Subject subject : results.subjects()) {
            ObjectNode table = tables.putObject(subject.name());
            table.put("sha256", subject.dataHash());
            table.put("lambda", subject.lambda());
            table.put("budget", subject.budget());
            for (String split : NetworkResults.SPLITS) {
                ObjectNode environments = table.putObject(split);
                for (Environment e : NetworkResults.ENVIRONMENTS) {
                    ObjectNode cells = environments.putObject(e.name());
                    PaperResults.ALGORITHMS.forEach(
                            algorithm -> PaperJson.put(cells, algorithm, subject.error(split, e, algorithm)));
                }
                for (Figure figure : subject.figures(split)) {
                    PaperJson.put(root.putObject("figure" + ++number), figure);
                }
            }
        }
        return root;
    }

    @Override
    public String html() {
        StringBuilder body = new StringBuilder();
        List<String> sources = new ArrayList<>();
        int number = 0;
        for (Subject subject : results.subjects()) {
            sources.add(subject.name() + ", sha256 " + subject.dataHash());
            for (String split : NetworkResults.SPLITS) {
                body.append(String.format(
                        Locale.ROOT,
                        "<h2>%s, %s split</h2>%n<p>Lambda %s; in E1 to E4 rows are shifted by %s.</p>%n%s",
                        Page.escaped(subject.name()),
                        split,
                        Spec.print(subject.lambda()),
                        Spec.print(subject.budget()),
                        table(subject, split)));
                StringBuilder figures = new StringBuilder();
                for (int i = 0; i < subject.figures(split).size(); i++) {
                    figures.append(" figure").append(++number);
                }
                body.append("<div class=\"figures\" data-figures=\"")
                        .append(figures.toString().strip())
                        .append("\"></div>\n");
            }
        }
        return new Page("nonconvex.html")
                .with("version", Version.current())
                .with("seeds", results.seeds())
                .with("model", Page.escaped(results.model()))
                .with("sources", Page.escaped(String.join("; ", sources)))
                .with("results", body)
                .with("data", json().toString().replace("</", "<\\/"))
                .with("charts", Resource.text(PaperReport.class, "paper.js"))
                .with("echarts", Resource.text(PaperReport.class, PaperReport.ECHARTS))
                .html();
    }

    private static String table(Subject subject, String split) {
        StringBuilder out = new StringBuilder("<table><thead><tr><th></th>");
        PaperResults.ALGORITHMS.forEach(a -> out.append("<th>").append(a).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        for (Environment e : NetworkResults.ENVIRONMENTS) {
            out.append("<tr><th>").append(e.name()).append("</th>");
            for (String algorithm : PaperResults.ALGORITHMS) {
                Statistic s = subject.error(split, e, algorithm);
                out.append(String.format(Locale.ROOT, "<td><b>%.4f</b> <small>± %.4f</small></td>", s.mean(), s.sd()));
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody></table>\n").toString();
    }

    private static String cell(Statistic s) {
        return String.format(Locale.ROOT, "%.4f ± %.4f", s.mean(), s.sd());
    }

    private static void line(StringBuilder out, String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args).stripTrailing()).append('\n');
    }
}
