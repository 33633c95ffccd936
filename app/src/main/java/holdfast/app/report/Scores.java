package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.HeldOutFigures;
import holdfast.evaluation.Metric;
import holdfast.sources.SourceValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Evaluations as text of 80 columns and as JSON. */
public final class Scores {
    private static final int COLUMNS = 80;
    private static final int MAX_CLASSES = 12;
    static final int MAX_SOURCES = 40;
    private static final int LONGEST_NAME = 30;

    /** Metrics that stand below the table, one per line, because their columns would not fit. */
    private static final Set<Metric> ABOUT_CLASSES =
            EnumSet.of(Metric.PRECISION, Metric.RECALL, Metric.F1, Metric.PR_AUC, Metric.BRIER);

    private Scores() {}

    /** A table with one line of metrics per evaluation. */
    public static String table(List<Evaluation> evaluations) {
        List<Metric> metrics = evaluations.get(0).metrics().keySet().stream()
                .filter(m -> !ABOUT_CLASSES.contains(m) && evaluations.stream().anyMatch(e -> !Double.isNaN(e.get(m))))
                .toList();
        List<List<String>> lines = new ArrayList<>();
        lines.add(line("rows", metrics.stream().map(Metric::toString)));
        for (Evaluation e : evaluations) {
            String shift = e.shift().equals("none") ? "as they are" : e.shift() + " shift";
            lines.add(line(e.rows() + ", " + shift, metrics.stream().map(m -> number(e.get(m)))));
        }
        return aligned(lines);
    }

    /**
     * One line with the headline metric of the trusted rows and its interval, and beside it what all sources and all rows
     * say.
     */
    static String headline(HeldOutFigures figures) {
        Evaluation e = figures.trusted().orElse(figures.all());
        Metric metric = e.headlineMetric();
        StringBuilder line = new StringBuilder(intervals(e));
        if (!figures.sources().isEmpty()) {
            line.append("\n" + metric + ": median over " + figures.sources().size() + " sources "
                    + number(figures.median()) + "; over all " + figures.all().rows() + " rows "
                    + number(figures.all().headline()));
        }
        return line.append('\n').toString();
    }

    /** The headline metric and, for two classes, the AUC with their intervals. */
    private static String intervals(Evaluation e) {
        Metric metric = e.headlineMetric();
        return metric + " " + number(e.headline()) + interval(e, metric, ", 95 % interval ")
                + (e.interval(Metric.AUC).isPresent()
                        ? "; AUC " + number(e.auc()) + interval(e, Metric.AUC, ", ")
                        : "");
    }

    static String interval(Evaluation e, Metric metric, String before) {
        return e.interval(metric)
                .map(i -> before + number(i.low()) + " to " + number(i.high()))
                .orElse("");
    }

    /** The headline metric of a source and its interval, for a column of a table. */
    static String figure(HeldOutFigures.SourceFigure source) {
        Evaluation e = source.evaluation();
        return number(e.headline()) + interval(e, e.headlineMetric(), ", ").replace(" to ", "-");
    }

    /**
     * A line with the figure of each source, if there are any.
     *
     * @param heldOut sources of which no row was trained on
     */
    public static String bySource(HeldOutFigures figures, Set<String> heldOut) {
        if (figures.sources().isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder("\nBy source, rows as they are:\n");
        figures.sources().stream()
                .limit(MAX_SOURCES)
                .forEach(s -> out.append(sourceLine(s))
                        .append(heldOut.contains(s.source()) ? "; held out of training" : "")
                        .append('\n'));
        int rest = figures.sources().size() - MAX_SOURCES;
        return out + (rest > 0 ? "  ... and " + rest + " more sources; --json has them all\n" : "");
    }

    /** The rows and the headline metric of a source. */
    static String sourceLine(HeldOutFigures.SourceFigure source) {
        Evaluation e = source.evaluation();
        return "  " + printable(source.source()) + ", " + e.rows() + " rows: " + e.headlineMetric() + " "
                + figure(source);
    }

    /** The value of a source and its interval, for a column of a table. */
    static String value(SourceValue value) {
        return signed(value.change()) + ", " + signed(value.interval().low()) + " to "
                + signed(value.interval().high());
    }

    private static String signed(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 1e5 ? "%+.4f" : "%+.4g", value);
    }

    static String pValue(double p) {
        return p < 1e-12 ? "p < 1e-12" : String.format(Locale.ROOT, "p = %.1g", p);
    }

    /** How well classes are found, with 95 % intervals, and what other thresholds would do; empty for numbers. */
    public static String detection(Evaluation e, Schema schema) {
        List<Metric> metrics = e.metrics().keySet().stream()
                .filter(m -> ABOUT_CLASSES.contains(m) && !Double.isNaN(e.get(m)))
                .toList();
        if (metrics.isEmpty()) {
            return "";
        }
        boolean two = schema.classes().size() == 2;
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of(two ? "finding " + second(schema) : "mean over classes", "", "95 % interval"));
        metrics.forEach(m -> lines.add(List.of(m.toString(), number(e.get(m)), interval(e, m, ""))));
        return "\n" + aligned(lines) + thresholds(e, schema);
    }

    private static String thresholds(Evaluation e, Schema schema) {
        if (e.thresholds().isEmpty()) {
            return "";
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("threshold", "precision", "recall", "F1", "flagged"));
        e.thresholds()
                .forEach(t -> lines.add(List.of(
                        number(t.threshold()) + (t.used() ? " (used)" : ""),
                        number(t.precision()),
                        number(t.recall()),
                        number(t.f1()),
                        number(t.flagged()))));
        return "\nRows are flagged if their probability of " + second(schema) + " is at least the threshold:\n"
                + aligned(lines);
    }

    private static String second(Schema schema) {
        return printable(schema.label()) + " = " + printable(schema.classes().get(1));
    }

    /** The intervals, the confusion matrix and the calibration, as far as there are any. */
    public static String details(Evaluation e, Schema schema) {
        StringBuilder out = new StringBuilder();
        if (e.interval(e.headlineMetric()).isPresent()) {
            out.append(intervals(e)).append('\n');
        }
        out.append(detection(e, schema));
        if (!schema.classes().isEmpty()) {
            out.append("\nRows of each class (lines) by predicted class (columns):\n")
                    .append(confusion(e, schema));
        }
        if (!e.calibration().isEmpty()) {
            out.append(
                            schema.classes().size() == 2
                                    ? "\nRows by the predicted probability of " + second(schema)
                                            + ", and the share for which it holds:\n"
                                    : "\nRows by the probability of the predicted class, and the share that belong to it:\n")
                    .append(calibration(e));
        }
        return out.toString();
    }

    private static String confusion(Evaluation e, Schema schema) {
        List<String> classes = schema.classes();
        String label = printable(schema.label());
        List<String> names =
                classes.stream().limit(MAX_CLASSES).map(Scores::printable).toList();
        List<String> numbers = IntStream.rangeClosed(1, names.size())
                .mapToObj(c -> "(" + c + ")")
                .toList();
        List<String> both = IntStream.range(0, names.size())
                .mapToObj(c -> numbers.get(c) + " " + names.get(c))
                .toList();
        String named = matrix(label, e.confusion(), names, names);
        String numbered = matrix(label, e.confusion(), both, numbers);
        int rest = classes.size() - names.size();
        return (named.indexOf('\n') <= Math.max(COLUMNS, numbered.indexOf('\n')) ? named : numbered)
                + (rest > 0 ? "... and " + rest + " more classes; --json has them all\n" : "");
    }

    private static String matrix(String label, int[][] confusion, List<String> actual, List<String> predicted) {
        int shown = actual.size();
        boolean more = confusion.length > shown;
        List<List<String>> lines = new ArrayList<>();
        lines.add(line(label, Stream.concat(predicted.stream(), more ? Stream.of("others") : Stream.of())));
        for (int c = 0; c < shown; c++) {
            IntStream others =
                    more ? IntStream.of(Arrays.stream(confusion[c]).skip(shown).sum()) : IntStream.of();
            lines.add(line(
                    actual.get(c),
                    IntStream.concat(Arrays.stream(confusion[c]).limit(shown), others)
                            .mapToObj(Integer::toString)));
        }
        return aligned(lines);
    }

    private static String calibration(Evaluation e) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("probability", "share", "rows"));
        e.calibration().forEach(b -> lines.add(List.of(number(b.probability()), number(b.share()), "" + b.rows())));
        return aligned(lines);
    }

    private static List<String> line(String name, Stream<String> cells) {
        return Stream.concat(Stream.of(name), cells).toList();
    }

    /** Aligns names to the left and numbers to the right. */
    static String aligned(List<List<String>> lines) {
        StringBuilder out = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                int column = i;
                int width = lines.stream()
                        .mapToInt(l -> l.get(column).length())
                        .max()
                        .orElseThrow();
                String cell = line.get(i);
                String space = " ".repeat(width - cell.length());
                text.append(i == 0 ? cell + space : "  " + space + cell);
            }
            out.append(text.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    /** A number of two digits, for the end of a scale. */
    static String brief(double value) {
        return value == 0 ? "0" : String.format(Locale.ROOT, "%.2g", value);
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, Math.abs(value) < 1e5 ? "%.4f" : "%.4g", value);
    }

    /** Returns the number rounded up, so that what is bounded by it is bounded by the text as well. */
    static String atMost(double value) {
        return rounded(value, RoundingMode.CEILING);
    }

    /** Returns the number rounded down, so that what is at least it is at least the text as well. */
    static String atLeast(double value) {
        return rounded(value, RoundingMode.FLOOR);
    }

    private static String rounded(double value, RoundingMode mode) {
        if (!Double.isFinite(value)) {
            return number(value);
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        return Math.abs(value) < 1e5
                ? exact.setScale(4, mode).toPlainString()
                : exact.round(new MathContext(4, mode)).toString();
    }

    /** Returns the name on one line, cut if it is long. */
    static String printable(String name) {
        String line = name.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= LONGEST_NAME ? line : line.substring(0, LONGEST_NAME - 3) + "...";
    }

    public static ObjectNode json(Evaluation e, List<String> classes) {
        ObjectNode node = JsonText.object();
        node.put("shift", e.shift());
        node.put("rows", e.rows());
        e.metrics().forEach((metric, value) -> JsonText.put(node, metric.key(), value));
        ObjectNode intervals = node.putObject("intervals");
        e.intervals().forEach((metric, interval) -> {
            ObjectNode ends = intervals.putObject(metric.key());
            JsonText.put(ends, "low", interval.low());
            JsonText.put(ends, "high", interval.high());
        });
        if (!classes.isEmpty()) {
            node.put("accuracy", 1 - e.error());
            ArrayNode names = node.putArray("classes");
            classes.forEach(names::add);
            ArrayNode confusion = node.putArray("confusion");
            for (int[] row : e.confusion()) {
                ArrayNode counts = confusion.addArray();
                Arrays.stream(row).forEach(counts::add);
            }
        }
        if (!e.calibration().isEmpty()) {
            ArrayNode calibration = node.putArray("calibration");
            e.calibration()
                    .forEach(b -> calibration
                            .addObject()
                            .put("probability", b.probability())
                            .put("share", b.share())
                            .put("rows", b.rows()));
        }
        if (!e.thresholds().isEmpty()) {
            ArrayNode thresholds = node.putArray("thresholds");
            e.thresholds().forEach(t -> {
                ObjectNode line = thresholds.addObject();
                line.put("threshold", t.threshold());
                line.put("used", t.used());
                JsonText.put(line, Metric.PRECISION.key(), t.precision());
                JsonText.put(line, Metric.RECALL.key(), t.recall());
                JsonText.put(line, Metric.F1.key(), t.f1());
                JsonText.put(line, "flagged", t.flagged());
            });
        }
        return node;
    }

    /**
     * One evaluation as an object, or several as the field {@code evaluation}, and the figures by source, if there are
     * any, as the field {@code by_source}.
     */
    public static ObjectNode json(List<Evaluation> evaluations, HeldOutFigures bySource, List<String> classes) {
        ObjectNode node;
        if (evaluations.size() == 1) {
            node = json(evaluations.get(0), classes);
        } else {
            node = JsonText.object();
            ArrayNode all = node.putArray("evaluation");
            evaluations.forEach(e -> all.add(json(e, classes)));
        }
        if (!bySource.sources().isEmpty()) {
            // Nobody judged these sources, so none is trusted or not.
            bySource(node.putArray("by_source"), bySource, false);
        }
        return node;
    }

    /** The figures by source, their median and those of all rows. */
    static ObjectNode json(HeldOutFigures figures, List<String> classes) {
        ObjectNode node = JsonText.object();
        node.put("sources", figures.sources().size());
        node.put("trusted_sources", figures.trustedSources());
        node.put("metric", figures.all().headlineMetric().key());
        JsonText.put(node, "median_over_sources", figures.median());
        node.set("all_rows", json(figures.all(), classes));
        bySource(node.putArray("by_source"), figures, true);
        return node;
    }

    private static void bySource(ArrayNode lines, HeldOutFigures figures, boolean judged) {
        for (HeldOutFigures.SourceFigure figure : figures.sources()) {
            ObjectNode line = lines.addObject();
            Evaluation e = figure.evaluation();
            line.put("source", figure.source());
            if (judged) {
                line.put("trusted", figure.trusted());
            }
            line.put("rows", e.rows());
            JsonText.put(line, e.headlineMetric().key(), e.headline());
            e.interval(e.headlineMetric()).ifPresent(i -> {
                JsonText.put(line, "low", i.low());
                JsonText.put(line, "high", i.high());
            });
        }
    }
}
