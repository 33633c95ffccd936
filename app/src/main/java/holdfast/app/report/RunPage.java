package holdfast.app.report;

import holdfast.certificate.OptimumGap;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.HeldOutFigures;
import holdfast.evaluation.Metric;
import holdfast.evaluation.ThresholdFigure;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.PlanFile;
import holdfast.formats.ShellArgument;
import holdfast.model.LinearScores;
import holdfast.plan.PlanKey;
import holdfast.rounds.RoundHistory;
import holdfast.sources.RunReview;
import holdfast.training.Prediction;
import holdfast.training.PreparedRun;
import holdfast.training.Provenance;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** A training run as one HTML page that needs no network and no script, and begins with the sources. */
public final class RunPage {
    private static final int MAX_EFFECTS = 10;
    private static final int MAX_CLASSES = 20;

    private final RunReview review;
    private final TrainingRun run;
    private final PreparedRun prepared;
    private final Optional<Dataset> tested;
    private final RoundHistory history;
    private final Optional<Prediction> prediction;
    private final Optional<OptimumGap> gap;
    private final String command;

    /**
     * @param tested the rows of the review's figures
     * @param history of the run's rounds; if it was resumed, of those since
     * @param prediction what a theorem bounds for the run, if one applies
     * @param gap how far the run is from the honest optimum, if that is known
     * @param command trains again with the same settings, but with all sources
     */
    public RunPage(
            RunReview review,
            PreparedRun prepared,
            Optional<Dataset> tested,
            RoundHistory history,
            Optional<Prediction> prediction,
            Optional<OptimumGap> gap,
            String command) {
        this.review = review;
        this.run = review.run();
        this.prepared = prepared;
        this.tested = tested;
        this.history = history;
        this.prediction = prediction;
        this.gap = gap;
        this.command = command;
    }

    public String html() {
        SourceSection sources = new SourceSection(review, prepared, history);
        Provenance provenance = run.provenance();
        return new Page("run.html")
                .with("data", Page.name(prepared.source().name()))
                .with("headline", sources.headline())
                .with("meaning", sources.meaning())
                .with("sources", sources.table())
                .with("legend", sources.legend())
                .with("screened", sources.screened())
                .with("without", sources.without(command))
                .with("sha256", provenance.data().sha256())
                .with("rows", prepared.rows())
                .with("features", prepared.schema().features().size())
                .with("label", Page.name(prepared.schema().label()))
                .with(
                        "classes",
                        Page.escaped(Summary.labels(
                                prepared.schema().classes(), run.model().model().target())))
                .with("model", Page.escaped(run.model().kind().toString()))
                .with("coefficients", coefficients())
                .with(
                        "figures",
                        review.figures().map(this::figures).orElse("<p>No rows were tested.</p>")
                                + ChoiceText.html(run, prepared))
                .with("rounds", rounds())
                .with("objective", objective())
                .with("plan", Page.escaped(PlanFile.print(run.plan())))
                .with("command", Page.escaped(again()))
                .with("seed", provenance.seed())
                .with("version", Page.escaped(provenance.version()))
                .with("java", Page.escaped(provenance.java()))
                .with("cpu", Page.escaped(provenance.cpu()))
                .with("guarantee", guarantee())
                .html();
    }

    private String again() {
        List<String> without = run.plan().get(PlanKey.WITHOUT);
        return without.isEmpty() ? command : command + " " + ShellArgument.option("--without", without);
    }

    private String coefficients() {
        TrainedModel model = run.model();
        if (!(model.model() instanceof LinearScores)) {
            return "<p>The model is not linear in its scores, so no number says what a feature does.</p>";
        }
        Schema schema = model.schema();
        CoefficientReport report = new CoefficientReport(model);
        List<CoefficientReport.Line> largest = report.largest(MAX_EFFECTS);
        Drawing.Scale scale = Drawing.Scale.around0(largest.stream()
                .flatMapToDouble(line -> DoubleStream.concat(
                        DoubleStream.of(line.effect()),
                        line.effectInterval().stream().flatMapToDouble(i -> DoubleStream.of(i.low(), i.high()))))
                .toArray());
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<p>The %d largest of %d effects: what %s adds to the score%s. %s</p>%n<div class=\"bars\">",
                largest.size(),
                report.count(),
                report.step(),
                schema.classes().size() == 2
                        ? "; to the right they speak for "
                                + Page.escaped(schema.label() + " = "
                                        + schema.classes().get(1))
                        : "",
                model.errors()
                        .map(errors -> CoefficientReport.origin(errors) + ".")
                        .orElse("")));
        for (CoefficientReport.Line line : largest) {
            out.append("<span class=\"name\">")
                    .append(Page.name(report.name(line)))
                    .append("</span>")
                    .append(Drawing.bar(
                            scale,
                            line.effect(),
                            line.effectInterval(),
                            line.effectInterval().isPresent() ? "weight open" : "weight"))
                    .append(String.format(
                            Locale.ROOT,
                            "<span class=\"number\">%+.4g%s</span>%n",
                            line.effect(),
                            line.effectInterval()
                                    .map(i -> " <small>" + CoefficientReport.brief(i) + "</small>")
                                    .orElse("")));
        }
        return out.append("</div>").toString();
    }

    private String figures(HeldOutFigures figures) {
        Dataset rows = figures.trustedRows().orElse(tested.orElseThrow());
        Evaluation trusted = figures.trusted().orElse(figures.all());
        StringBuilder out = new StringBuilder("<h2>Figures</h2><p>On ")
                .append(run.heldOut().isPresent() ? "rows held out of training" : "the test file")
                .append(", with 95 % intervals. ")
                .append(
                        figures.sources().isEmpty()
                                ? ""
                                : "The first line counts: rows of sources that are named or unusable speak for those"
                                        + " sources, not about the model.")
                .append("</p>\n<div class=\"wide\"><table><thead><tr><th>Rows</th>");
        List<Metric> metrics = trusted.metrics().keySet().stream()
                .filter(m -> !Double.isNaN(trusted.get(m)))
                .toList();
        metrics.forEach(m -> out.append("<th class=\"number\">").append(m).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        if (figures.sources().isEmpty()) {
            metrics(out, "all " + figures.all().rows(), figures.all(), metrics);
        } else {
            figures.trusted()
                    .ifPresent(e -> metrics(
                            out,
                            e.rows() + " of the " + figures.trustedSources()
                                    + " sources that are neither named nor unusable",
                            e,
                            metrics));
            out.append("<tr><th scope=\"row\">median over ")
                    .append(figures.sources().size())
                    .append(" sources</th><td class=\"number\">")
                    .append(Scores.number(figures.median()))
                    .append("</td>")
                    .append("<td></td>".repeat(metrics.size() - 1))
                    .append("</tr>\n");
            metrics(out, "all " + figures.all().rows(), figures.all(), metrics);
        }
        out.append("</tbody></table></div>\n");
        heldOutWhole(out, Summary.others(run, figures));
        confusion(out, trusted);
        thresholds(out, trusted);
        calibration(out, trusted);
        out.append("<h2>Shifts</h2>\n");
        shifts(
                out,
                "Each row moved to its worst case within a budget, in units of the scaled features",
                trusted,
                Summary.worstCases(run, rows));
        shifts(
                out,
                "What happens without intent: noise on every scaled feature, each column of numbers drifting by a factor of"
                        + " its own, cells lost, a class more or less frequent",
                trusted,
                Summary.natural(run, rows));
        return out.toString();
    }

    private static void heldOutWhole(StringBuilder out, List<HeldOutFigures.SourceFigure> others) {
        if (!others.isEmpty()) {
            out.append("<h3>Sources that took no part in training</h3>\n");
            bars(
                    out,
                    others.stream().map(f -> f.evaluation()).toList(),
                    others.stream().map(f -> Page.name(f.source())).toList());
        }
    }

    private static void metrics(StringBuilder out, String rows, Evaluation e, List<Metric> metrics) {
        out.append("<tr><th scope=\"row\">").append(rows).append("</th>");
        metrics.forEach(m -> out.append("<td class=\"number\">")
                .append(Scores.number(e.get(m)))
                .append("<br><small>")
                .append(Scores.interval(e, m, ""))
                .append("</small></td>"));
        out.append("</tr>\n");
    }

    private void confusion(StringBuilder out, Evaluation e) {
        List<String> classes = prepared.schema().classes();
        if (classes.isEmpty() || classes.size() > MAX_CLASSES) {
            return;
        }
        out.append("<h3>Rows of each class (lines) by predicted class (columns)</h3>\n")
                .append("<div class=\"wide\"><table class=\"confusion\"><thead><tr><th>")
                .append(Page.name(prepared.schema().label()))
                .append("</th>");
        classes.forEach(
                c -> out.append("<th class=\"number\">").append(Page.name(c)).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        for (int actual = 0; actual < classes.size(); actual++) {
            out.append("<tr><th scope=\"row\">")
                    .append(Page.name(classes.get(actual)))
                    .append("</th>");
            for (int predicted = 0; predicted < classes.size(); predicted++) {
                out.append("<td class=\"number")
                        .append(actual == predicted ? " right" : "")
                        .append("\">");
                out.append(e.confusion()[actual][predicted]).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n");
    }

    private void thresholds(StringBuilder out, Evaluation e) {
        if (e.thresholds().isEmpty()) {
            return;
        }
        Schema schema = prepared.schema();
        out.append("<h3>Thresholds</h3><p>Rows are flagged if their probability of ")
                .append(Page.escaped(schema.label() + " = " + schema.classes().get(1)))
                .append(" is at least the threshold; the model's own is marked.</p>")
                .append("<div class=\"wide\"><table class=\"confusion\"><thead><tr>");
        for (String name : List.of("Threshold", "Precision", "Recall", "F1", "Flagged")) {
            out.append("<th class=\"number\">").append(name).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (ThresholdFigure t : e.thresholds()) {
            out.append("<tr>");
            for (double cell : new double[] {t.threshold(), t.precision(), t.recall(), t.f1(), t.flagged()}) {
                out.append("<td class=\"number")
                        .append(t.used() ? " right" : "")
                        .append("\">")
                        .append(Scores.number(cell))
                        .append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n");
    }

    private void calibration(StringBuilder out, Evaluation e) {
        if (e.calibration().isEmpty()) {
            return;
        }
        Schema schema = prepared.schema();
        out.append("<h3>Calibration</h3><div class=\"calibration\">")
                .append(Drawing.againstDiagonal(e.calibration().stream()
                        .map(b -> new double[] {b.probability(), b.share()})
                        .toList()))
                .append("<div><p>Rows by the probability of ")
                .append(
                        schema.classes().size() == 2
                                ? Page.escaped(schema.label() + " = "
                                        + schema.classes().get(1))
                                : "the predicted class")
                .append(" (across, 0 to 1), and the share for which it holds (upwards). On the diagonal, the")
                .append(" probabilities are right.")
                .append(new ScoreWords(run.model())
                        .calibration()
                        .map(words -> " They were " + Page.escaped(words) + ".")
                        .orElse(""))
                .append("</p><table><thead><tr><th class=\"number\">Probability</th>")
                .append("<th class=\"number\">Share</th><th class=\"number\">Rows</th></tr></thead><tbody>\n");
        e.calibration()
                .forEach(b -> out.append(String.format(
                        Locale.ROOT,
                        "<tr><td class=\"number\">%.3f</td><td class=\"number\">%.3f</td><td class=\"number\">%d</td></tr>%n",
                        b.probability(),
                        b.share(),
                        b.rows())));
        out.append("</tbody></table></div></div>\n");
    }

    /** Shows the same rows as they are and under some shifts. */
    private static void shifts(StringBuilder out, String meaning, Evaluation plain, List<Evaluation> shifted) {
        if (shifted.isEmpty()) {
            return;
        }
        List<Evaluation> all = Stream.concat(Stream.of(plain), shifted.stream()).toList();
        out.append("<p>")
                .append(meaning)
                .append(": ")
                .append(plain.headlineMetric())
                .append(", with 95 % interval.</p>\n");
        bars(
                out,
                all,
                all.stream()
                        .map(e -> e.shift().equals("none") ? "as they are" : Page.escaped(e.shift()) + " shift")
                        .toList());
    }

    /** Draws the headline metric of evaluations below each other; a thin line marks that of the first. */
    private static void bars(StringBuilder out, List<Evaluation> evaluations, List<String> names) {
        Metric metric = evaluations.get(0).headlineMetric();
        Drawing.Scale scale = Drawing.Scale.from0(evaluations);
        out.append("<div class=\"bars\">");
        for (int i = 0; i < names.size(); i++) {
            Evaluation e = evaluations.get(i);
            out.append("<span class=\"name\">")
                    .append(names.get(i))
                    .append("</span>")
                    .append(Drawing.dotAndWhisker(
                            scale,
                            e.headline(),
                            e.interval(metric),
                            evaluations.get(0).headline()))
                    .append("<span class=\"number\">")
                    .append(Scores.number(e.headline()))
                    .append("</span>\n");
        }
        out.append("</div>\n");
    }

    private String rounds() {
        return run.state().round() + " rounds, "
                + (run.stopped() ? "ended by the stopping rule" : "the maximum (--rounds)")
                + (run.chosen() == run.state().round() ? "" : "; the model is that of round " + run.chosen());
    }

    private String objective() {
        List<double[]> points = history.bins().stream()
                .filter(bin -> Double.isFinite(bin.objective()))
                .map(bin -> new double[] {bin.first() + bin.rounds(), bin.objective()})
                .toList();
        if (points.size() < 2) {
            return "";
        }
        double[] values = points.stream().mapToDouble(p -> p[1]).toArray();
        double low = Arrays.stream(values).min().orElseThrow();
        double high = Arrays.stream(values).max().orElseThrow();
        double first = points.get(0)[0];
        double last = points.get(points.size() - 1)[0];
        return String.format(
                Locale.ROOT,
                "<div class=\"curve\"><span class=\"up\"><span>%.4g</span><span>%.4g</span></span>%s<span></span>"
                        + "<span class=\"ends\"><span>round %.0f</span><span>%.0f</span></span></div>",
                high,
                low,
                Drawing.line(new Drawing.Scale(first, last), new Drawing.Scale(low, high), points),
                first,
                last);
    }

    private String guarantee() {
        String items = run.guarantee().conditions().stream()
                .map(c -> "<li class=\"" + (c.holds() ? "holds" : "fails") + "\"><b>" + (c.holds() ? "holds" : "fails")
                        + "</b> " + Page.escaped(c.detail()) + "</li>\n")
                .collect(Collectors.joining());
        return "<p>"
                + (run.guarantee().holds()
                        ? "Convergence is proven if at most " + run.guarantee().tolerated() + " of "
                                + run.guarantee().workers() + " workers lie, which nobody can check."
                        : "The convergence theorems do not cover this run, because not all of their conditions hold. That"
                                + " says nothing about the figures above.")
                + "</p>\n<ul class=\"conditions\">" + items + "</ul>"
                + prediction.map(RunPage::prediction).orElse("")
                + gap.map(found -> "<p>Of the rows that it was trained on, and with the penalty, "
                                + Page.escaped(GapText.of(found)) + ", whatever these sent.</p>")
                        .orElse("");
    }

    private static String prediction(Prediction prediction) {
        return String.format(
                Locale.ROOT,
                "<p>%s bounds %s by %.3g: %.3g that more rounds make smaller, and a floor of %.3g. Measured on what the"
                        + " server sees of the gradient: %.3g.</p>",
                prediction.theorem(),
                Page.escaped(prediction.quantity()),
                prediction.bound(),
                prediction.progress(),
                prediction.floor(),
                prediction.measured());
    }
}
