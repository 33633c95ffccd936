package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.Version;
import holdfast.app.lab.Resource;
import holdfast.certificate.MisclassificationCurve;
import holdfast.certificate.MovedRow;
import holdfast.certificate.ShiftCurve;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.objective.Box;
import holdfast.objective.PricedCost;
import holdfast.shift.WorstCaseShift.Norm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A certificate against shifts as a page: the curves, a slider that reads them, and the worst rows. It is complete without script,
 * apart from the slider, whose script is in the page.
 */
final class CertificatePage {
    /** Budgets between which the slider reads the curves. */
    private static final int STEPS = 32;

    /** Halvings of the first step: losses grow with the root of rho, so lines are far off near 0. */
    private static final int HALVINGS = 6;

    private static final int MAX_ROWS = 12;
    private static final int MAX_MOVES = 4;

    private final TrainedModel trained;
    private final Dataset rows;
    private final Box box;
    private final PricedCost cost;
    private final double[] budgets;
    private final OptionalInt liars;
    private final ShiftCurve losses;
    private final Optional<Population> population;
    private final LossUnit unit;
    private final double most;
    private final List<Point> points;

    /** What is known for one budget. */
    private record Point(double q, ShiftCurve.Point loss, Optional<ShiftCurve.Point> error, double[] rates) {}

    CertificatePage(
            TrainedModel trained,
            Dataset rows,
            Box box,
            PricedCost cost,
            double[] budgets,
            OptionalInt liars,
            ShiftCurve losses,
            Optional<MisclassificationCurve> errors,
            Optional<Population> population,
            LossUnit unit) {
        this.unit = unit;
        this.trained = trained;
        this.rows = rows;
        this.box = box;
        this.cost = cost;
        this.budgets = budgets;
        this.liars = liars;
        this.losses = losses;
        this.population = population;
        this.most = Arrays.stream(budgets).max().orElseThrow();
        points = Stream.of(
                        IntStream.rangeClosed(0, STEPS).mapToDouble(i -> most * i / STEPS),
                        IntStream.rangeClosed(1, HALVINGS).mapToDouble(i -> most / STEPS / (1 << i)),
                        Arrays.stream(budgets))
                .flatMapToDouble(part -> part)
                .sorted()
                .distinct()
                .mapToObj(q -> new Point(
                        q,
                        inUnit(losses.at(CertificateReport.rho(q)), unit),
                        errors.map(curve -> curve.at(CertificateReport.rho(q))),
                        errors.map(curve -> Arrays.stream(Norm.values())
                                        .mapToDouble(norm -> curve.rate(norm, q))
                                        .toArray())
                                .orElse(new double[0])))
                .toList();
    }

    private static ShiftCurve.Point inUnit(ShiftCurve.Point point, LossUnit unit) {
        return new ShiftCurve.Point(
                point.rho(), unit.of(point.lambda()), unit.atMost(point.certified()), unit.atLeast(point.attained()));
    }

    String html(String modelHash) {
        String script = most > 0 ? Resource.text(Page.class, "certificate.js") : "";
        return new Page("certificate.html")
                .with("allowed", script.isEmpty() ? "" : "; script-src 'sha256-" + digest(script) + "'")
                .with(
                        "body",
                        head()
                                + (most > 0 ? reading() + curves() : "")
                                + table()
                                + (most > 0 ? worst() : "")
                                + meaning())
                .with("footer", footer(modelHash, rows.source().sha256()))
                .with("noscript", script.isEmpty() ? " and no script" : "; without script the slider is missing")
                .with(
                        "script",
                        script.isEmpty()
                                ? ""
                                : "<script type=\"application/json\" id=\"data\">" + JsonText.print(json())
                                        + "</script>\n<script>" + script + "</script>\n")
                .html();
    }

    static String footer(String modelHash, String dataHash) {
        return "holdfast " + Page.escaped(Version.current()) + ", model SHA-256 " + modelHash + ", data SHA-256 "
                + dataHash + ".";
    }

    private static String digest(String script) {
        return Base64.getEncoder().encodeToString(DataFile.sha256().digest(script.getBytes(StandardCharsets.UTF_8)));
    }

    private String head() {
        return "<h1>What shifts can do: " + Page.name(rows.source().name()) + "</h1>\n<p class=\"lead\">"
                + rows.rows() + " rows, predicting "
                + Page.name(trained.schema().label()) + ", "
                + Page.escaped(CertificateReport.moved(box))
                + (liars.isPresent()
                        ? "; " + Page.escaped(CertificateReport.sources(liars).strip())
                        : "") + ".</p>\n"
                + (cost.changes().isEmpty()
                        ? ""
                        : "<p>"
                                + Page.escaped(CertificateReport.changes(
                                                cost, points.get(0).error.isPresent())
                                        .strip())
                                + "</p>\n");
    }

    /** The values at one budget, which the slider changes. */
    private String reading() {
        double q = Arrays.stream(budgets).filter(b -> b > 0).min().orElseThrow();
        Point at = points.stream().filter(p -> p.q == q).findFirst().orElseThrow();
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<section class=\"reading\"><label hidden>q<input type=\"range\" id=\"q\" min=\"0\" max=\"1000\" value=\"%.0f\""
                        + " autocomplete=\"off\"></label>%n<dl>",
                1000 * q / most));
        value(out, "q", "q, how far each row moves", Spec.print(q));
        value(out, "rho", "rho, the mean cost", CertificateReport.printedRho(q));
        value(out, "loss", "mean loss at most", Scores.atMost(at.loss.certified()));
        value(out, "found", "worst loss found", Scores.atLeast(at.loss.attained()));
        value(
                out,
                "plain",
                "loss of the rows as they are",
                Scores.number(points.get(0).loss.attained()));
        at.error.ifPresent(error -> {
            value(out, "error", "error at most", Scores.atMost(error.certified()));
            population.ifPresent(of -> value(
                    out,
                    "population",
                    "error of the population at most, with confidence " + Spec.print(of.confidence()),
                    Scores.atMost(of.atMost(error.certified()))));
            for (Norm norm : Norm.values()) {
                value(
                        out,
                        name(norm),
                        "error if each row stays within q, " + name(norm),
                        Scores.atMost(at.rates[norm.ordinal()]));
            }
        });
        return out.append("</dl></section>\n").toString();
    }

    private static void value(StringBuilder out, String id, String name, String text) {
        out.append("<dt>")
                .append(name)
                .append("</dt><dd id=\"v-")
                .append(id)
                .append("\">")
                .append(text)
                .append("</dd>\n");
    }

    private static String name(Norm norm) {
        return norm.name().toLowerCase(Locale.ROOT);
    }

    private String curves() {
        double plain = points.get(0).loss.attained();
        String drawn = "<h2>Loss</h2>\n"
                + chart(
                        List.of("certified: at most", "worst found: at least", "rows as they are"),
                        List.of(p -> p.loss.certified(), p -> p.loss.attained(), p -> plain));
        return points.get(0).error.isEmpty()
                ? drawn
                : drawn + "<h2>Error</h2>\n"
                        + chart(
                                List.of(
                                        "rows move at the mean cost rho",
                                        "each within q: linf",
                                        "each within q: l1",
                                        "each within q: l2"),
                                List.of(
                                        p -> p.error.orElseThrow().certified(),
                                        p -> p.rates[Norm.LINF.ordinal()],
                                        p -> p.rates[Norm.L1.ordinal()],
                                        p -> p.rates[Norm.L2.ordinal()]));
    }

    private String chart(List<String> names, List<ToDoubleFunction<Point>> values) {
        double high = points.stream()
                .flatMapToDouble(p -> values.stream().mapToDouble(v -> v.applyAsDouble(p)))
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        List<String> looks = List.of("a", "b", "c", "d");
        List<Drawing.Line> lines = IntStream.range(0, names.size())
                .mapToObj(i -> new Drawing.Line(
                        looks.get(i),
                        points.stream()
                                .filter(p -> Double.isFinite(values.get(i).applyAsDouble(p)))
                                .map(p -> new double[] {p.q, values.get(i).applyAsDouble(p)})
                                .toList()))
                .filter(line -> !line.points().isEmpty())
                .toList();
        String legend = IntStream.range(0, names.size())
                .mapToObj(i -> "<li><svg viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path class=\"" + looks.get(i)
                        + "\" d=\"M0 4H28\"/></svg>" + names.get(i) + "</li>")
                .collect(Collectors.joining());
        double mark = Arrays.stream(budgets).filter(b -> b > 0).min().orElseThrow();
        return String.format(
                Locale.ROOT,
                "<ul class=\"legend\">%s</ul><div class=\"curve\"><span class=\"up\"><span>%.4g</span><span>0</span></span>%s"
                        + "<span></span><span class=\"ends\"><span>q = 0</span><span>%s</span></span></div>%n",
                legend,
                high,
                Drawing.lines(new Drawing.Scale(0, most), new Drawing.Scale(0, high), lines, mark),
                Spec.print(most));
    }

    private String table() {
        boolean rates = points.get(0).error.isPresent();
        StringBuilder out = new StringBuilder("<h2>Table</h2>\n<div class=\"wide\"><table><thead><tr>");
        List<String> head = new ArrayList<>(List.of("q", "rho", "loss at most", "worst found"));
        if (rates) {
            head.add("error at most");
            population.ifPresent(of -> head.add("population"));
            head.addAll(List.of("each within q: l1", "l2", "linf"));
        }
        head.forEach(name -> out.append("<th class=\"number\">").append(name).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        for (double q : budgets) {
            Point at = points.stream().filter(p -> p.q == q).findFirst().orElseThrow();
            List<String> cells = new ArrayList<>(List.of(
                    Spec.print(q),
                    CertificateReport.printedRho(q),
                    Scores.atMost(at.loss.certified()),
                    Scores.atLeast(at.loss.attained())));
            at.error.ifPresent(error -> {
                cells.add(Scores.atMost(error.certified()));
                population.ifPresent(of -> cells.add(Scores.atMost(of.atMost(error.certified()))));
            });
            Arrays.stream(at.rates).mapToObj(Scores::atMost).forEach(cells::add);
            out.append("<tr>");
            cells.forEach(
                    cell -> out.append("<td class=\"number\">").append(cell).append("</td>"));
            out.append("</tr>\n");
        }
        return out.append("</tbody></table></div>\n").toString();
    }

    /** The rows that add most to the worst loss found. */
    private String worst() {
        Schema schema = trained.schema();
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<h2>Worst rows</h2>%n<p>The shift found for q = %s moves these rows to where they add most to the loss, in the"
                        + " table&#39;s units; --worst-rows writes them all.</p>%n<div class=\"wide\"><table><thead><tr>"
                        + "<th class=\"number\">row</th><th>%s</th><th class=\"number\">loss before</th>"
                        + "<th class=\"number\">after</th><th class=\"number\">cost</th><th>what moves most</th></tr></thead><tbody>%n",
                Spec.print(most),
                Page.name(schema.label())));
        losses.worstRows(CertificateReport.rho(most)).stream()
                .sorted(Comparator.comparingDouble((MovedRow row) -> -row.share() * (row.after() - row.before()))
                        .thenComparingInt(MovedRow::row))
                .limit(MAX_ROWS)
                .forEach(row -> out.append(String.format(
                        Locale.ROOT,
                        "<tr><td class=\"number\">%d</td><td>%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td>"
                                + "<td class=\"number\">%.4g</td><td>%s%s</td></tr>%n",
                        row.row() + 1,
                        Page.name(
                                schema.classes().isEmpty()
                                        ? Scores.number(row.label())
                                        : schema.classes().get((int) row.label())),
                        Scores.number(unit.of(row.before())),
                        Scores.number(unit.of(row.after())),
                        row.cost(),
                        moves(schema, row),
                        row.reachable() ? "" : "<br><small>beyond what the model reads</small>")));
        return out.append("</tbody></table></div>\n").toString();
    }

    private static String moves(Schema schema, MovedRow row) {
        List<Integer> moved = row.movedFeatures();
        return Stream.concat(
                                row.changes().stream()
                                        .map(change -> Page.name(change.column()) + " " + Page.name(change.from())
                                                + " → " + Page.name(change.to())),
                                moved.stream()
                                        .limit(MAX_MOVES)
                                        .map(i -> Page.name(schema.features().get(i))
                                                + String.format(
                                                        Locale.ROOT, " %.4g → %.4g", row.from()[i], row.to()[i])))
                        .collect(Collectors.joining(", "))
                + (moved.size() > MAX_MOVES ? " and " + (moved.size() - MAX_MOVES) + " more" : "");
    }

    private String meaning() {
        return "<h2>What this says, and what it does not</h2>\n<p>Whatever these rows are moved to at a mean cost of at most rho,"
                + " their mean loss and error are at most what is printed; no search for worse can succeed. The loss of the"
                + " worst shift found shows how far the bound is from the truth. Between the computed budgets the slider shows"
                + " bounds that hold there, and the shift found there or for a smaller one.</p>\n<p>"
                + (unit.words().isEmpty() ? "" : Page.escaped(unit.words()) + " ")
                + (losses.exact() ? "" : Page.escaped(CertificateReport.INEXACT) + " ")
                + Page.escaped(CertificateReport.limits(population)) + "</p>\n";
    }

    private ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("most", most);
        root.put("mixes", liars.isEmpty());
        population.ifPresent(of -> root.put("above", of.term()));
        ArrayNode all = root.putArray("points");
        for (Point p : points) {
            ObjectNode node = all.addObject();
            node.put("q", p.q).put("rho", CertificateReport.rho(p.q));
            pair(node.putArray("loss"), p.loss);
            JsonText.put(node, "found", p.loss.attained());
            p.error.ifPresent(error -> pair(node.putArray("error"), error));
            for (Norm norm : p.error.isPresent() ? Norm.values() : new Norm[0]) {
                node.put(name(norm), p.rates[norm.ordinal()]);
            }
        }
        return root;
    }

    /** Puts a bound and the price at which it is certified. */
    private static void pair(ArrayNode node, ShiftCurve.Point point) {
        for (double value : new double[] {point.certified(), point.lambda()}) {
            if (Double.isFinite(value)) {
                node.add(value);
            } else {
                node.addNull();
            }
        }
    }
}
