package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.certificate.ScoreShift;
import holdfast.certificate.ShiftCurve;
import holdfast.data.Dataset;
import holdfast.evaluation.ColumnDrift;
import holdfast.evaluation.EstimatedError;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.FarRows;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.LaterRows;
import holdfast.model.LinearModel;
import holdfast.model.SoftmaxRegression;
import holdfast.objective.Box;
import holdfast.objective.WeightedL2;
import holdfast.preparation.RowSummary;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How later rows differ from those that a model was trained on, and what that means for the model.
 *
 * @param reference the rows before; if empty, the new ones are compared with what the model keeps of its training rows
 * @param columns the one with the largest effect first
 * @param rho no coupling of the rows before with the new ones is cheaper; if those are not given, a distance from the model's summary
 * @param promises of the certificate on the rows before; empty if they are not given or have no labels
 */
public record DriftReport(
        TrainedModel model,
        LaterRows later,
        Optional<LaterRows> reference,
        List<ColumnDrift> columns,
        FarRows far,
        double rho,
        List<Promise> promises,
        RowGroup all,
        List<RowGroup> sources,
        List<RowGroup> times,
        String timeColumn) {
    private static final int MAX_COLUMNS = 20;
    private static final int FEW_ROWS = 200;
    private static final double ROUNDING = 1e-12;
    private static final String SUMMARY = "the summary of training rows in model.json";
    private static final String OF_SCORES = "the smallest shift to rows with the scores of the new ones";

    /** What the certificate says about every shift of a size. */
    record Promise(double rho, double loss, String why) {}

    /**
     * Compares rows with those before.
     *
     * @param reference rows to compare with; if empty, what the model keeps of its training rows
     * @param times the cells of the column of times; empty if none was asked for
     */
    public static DriftReport of(
            TrainedModel model, LaterRows later, Optional<LaterRows> reference, String timeColumn, List<String> times) {
        RowSummary training = reference
                .map(old -> RowSummary.ofAll(old.rows(), model.scaling()))
                .orElseGet(() -> model.training().orElseThrow());
        Dataset rows = later.rows();
        List<ColumnDrift> columns = ColumnDrift.of(model, training, rows);
        Optional<Double> ofScores = reference.flatMap(old -> ScoreShift.cost(model, old.rows(), rows.withoutGroups()));
        double rho = Math.max(ColumnDrift.cost(columns), ofScores.orElse(0.0));
        return new DriftReport(
                model,
                later,
                reference,
                columns,
                FarRows.of(model, training, rows),
                rho,
                reference
                        .filter(LaterRows::labelled)
                        .map(old -> promises(model, old.rows(), ofScores, rho))
                        .orElse(List.of()),
                RowGroup.of(model, rows, later.labelled(), "all rows"),
                RowGroup.of(model, rows, later.labelled(), RowGroup.bySource(rows)),
                RowGroup.of(
                        model,
                        rows,
                        later.labelled(),
                        times.isEmpty()
                                ? List.of()
                                : RowGroup.overTime(rows.source().name(), timeColumn, times)),
                timeColumn);
    }

    private static List<Promise> promises(TrainedModel model, Dataset rows, Optional<Double> ofScores, double rho) {
        if (!known(model) || model.model().needsBox()) {
            return List.of();
        }
        ShiftCurve curve = ShiftCurve.of(model, rows, WeightedL2.EQUAL, Box.NONE);
        LossUnit unit = LossUnit.of(model);
        List<Promise> promises = new ArrayList<>();
        promises.add(new Promise(0, unit.atMost(curve.at(0).certified()), "its rows as they are"));
        // A little more, because the cost is rounded.
        ofScores.ifPresent(cost -> promises.add(
                new Promise(cost, unit.atMost(curve.at(cost * (1 + ROUNDING)).certified()), OF_SCORES)));
        if (ofScores.isEmpty() || rho > ofScores.get()) {
            promises.add(new Promise(rho, unit.atMost(curve.at(rho).certified()), "what the columns show at least"));
        }
        return promises;
    }

    private static boolean known(TrainedModel model) {
        return model.model() instanceof LinearModel || model.model() instanceof SoftmaxRegression;
    }

    String file() {
        return later.rows().source().name();
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4g", value);
    }

    /** Returns a number of at least 0 rounded down, so that what is at least it is at least the text as well. */
    static String down(double value) {
        return number(
                Double.isFinite(value)
                        ? new BigDecimal(value)
                                .round(new MathContext(4, RoundingMode.FLOOR))
                                .doubleValue()
                        : value);
    }

    private static String signed(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%+.3f", value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    static String share(double value) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * value);
    }

    private String before() {
        return reference.map(old -> old.rows().source().name()).orElse(SUMMARY);
    }

    String headline() {
        return later.rows().rows() + " rows, compared with " + before()
                + (later.rows().rows() < FEW_ROWS ? "; with so few rows, part of every distance is chance" : "");
    }

    String outside() {
        return far.outside() == 0
                ? "No row has a number outside of the range in " + before() + "."
                : (far.outside() == 1 ? "1 row has" : far.outside() + " rows have")
                        + " a number outside of the range in "
                        + before() + ", " + far.far() + " of them far outside (by more than the range); farthest: "
                        + far.worst().orElseThrow() + ".";
    }

    String whole() {
        String size = "(as if each row moved by " + down(Math.sqrt(2 * rho))
                + ", in units of the scaled features, all prices 1)";
        return reference.isPresent()
                ? "Whole shift: rho is at least " + down(rho) + " " + size
                        + ". Columns and scores cannot change as they did at a lower cost; how much more the rows moved, they do not"
                        + " show."
                : "Whole shift: the columns are rho = " + down(rho) + " " + size + " from " + SUMMARY
                        + ", in which each source counts the same. That is no bound: the training rows themselves may be nearer or"
                        + " farther. --reference FILE gives one, from the rows of a file.";
    }

    String certificate() {
        String needs = "What the certificate says about shifts of this size needs ";
        if (!known(model)) {
            return "There is no certificate: " + model.model().name() + " has none against shifts.";
        }
        if (model.model().needsBox()) {
            return "drift gives no certificate for " + model.model().name()
                    + ", whose rows must stay in a box: certify --box does.";
        }
        return reference.isEmpty()
                ? needs + "--reference FILE: labelled rows as in training."
                : promises.isEmpty()
                        ? needs + "labels, and " + before() + " has none."
                        : "Certificate on " + before()
                                + ": mean loss (the model's own, before recalibration) under every shift of its rows"
                                + " up to rho, labels staying with their rows. The new rows are no shift of less than "
                                + down(rho) + "."
                                + LossUnit.of(model).sentence()
                                + promises.stream()
                                        .filter(promise -> promise.why.equals(OF_SCORES))
                                        .map(promise ->
                                                " But losses depend on scores and labels alone: if each new row has the label of"
                                                        + " the row of the same rank of score, the bound at "
                                                        + down(promise.rho)
                                                        + " holds for them. Whether that is so, only labels show.")
                                        .collect(Collectors.joining());
    }

    Optional<String> estimate() {
        return all.estimated().map(e -> {
            String two = Double.isNaN(e.share())
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            " (precision %s, recall %s; %s of the rows are %s)",
                            Scores.number(e.precision()),
                            Scores.number(e.recall()),
                            share(e.share()),
                            Scores.printable(model.schema().classes().get(1)));
            return "Estimated error without labels: " + Scores.number(e.error()) + two
                    + ", if the model's probabilities hold for these rows: if labels depend on the columns as in training. Rows"
                    + " alone cannot show whether they do."
                    + (far.outside() == 0
                            ? ""
                            : " " + share(far.outside() / (double) far.checked())
                                    + " of the rows are outside of the range, where nothing supports it.");
        });
    }

    List<String> columnHead() {
        return List.of(
                "column",
                "effect",
                "on mean",
                "distance",
                "mean shift",
                "rho",
                "outside",
                "missing",
                "mean before",
                "now");
    }

    List<String> cells(ColumnDrift c) {
        Double missing = later.missing().get(c.column());
        return List.of(
                Scores.printable(c.column()),
                decimal(c.effect()),
                signed(c.meanEffect()),
                decimal(c.distance()),
                signed(c.shift()),
                Scores.atLeast(c.cost()),
                Integer.toString(c.outside()),
                missing == null ? "-" : share(missing),
                c.text() ? "text" : number(c.training()[1]),
                c.text() ? "text" : number(c.now()[1]));
    }

    /** Says what the numbers of the columns are. */
    String legend() {
        return "effect: how far the column moves scores on average (" + new ScoreWords(model).meaning()
                + "); on mean: how far it moves the mean score; distance: between its values before and now, in units of the"
                + " scaled feature (text: share of rows with another value); rho: its part of the whole shift";
    }

    /** Returns the lines of groups: their rows, the estimated error, and the measured figure with its interval. */
    List<List<String>> lines(String head, List<RowGroup> groups) {
        List<List<String>> lines = new ArrayList<>();
        List<String> first = new ArrayList<>(List.of(head, "rows"));
        all.estimated().ifPresent(e -> first.add("estimated error"));
        all.measured().ifPresent(e -> first.addAll(List.of("measured " + e.headlineMetric(), "95 %")));
        lines.add(first);
        Stream.concat(groups.stream(), Stream.of(all)).forEach(group -> {
            List<String> line =
                    new ArrayList<>(List.of(Scores.printable(group.name()), Integer.toString(group.rows())));
            group.estimated().ifPresent(e -> line.add(Scores.number(e.error())));
            group.measured()
                    .ifPresent(e -> line.addAll(List.of(
                            Scores.number(e.headline()),
                            e.interval(e.headlineMetric())
                                    .map(i -> Scores.number(i.low()) + " to " + Scores.number(i.high()))
                                    .orElse("-"))));
            lines.add(line);
        });
        return lines;
    }

    /**
     * Returns the report for a terminal.
     *
     * @param every whether to show every column
     */
    public String text(boolean every) {
        int shown = every ? columns.size() : Math.min(MAX_COLUMNS, columns.size());
        List<List<String>> lines = new ArrayList<>(List.of(columnHead()));
        columns.subList(0, shown).forEach(column -> lines.add(cells(column)));
        StringBuilder out = new StringBuilder();
        out.append(file().replaceAll("\\p{Cntrl}", "?"))
                .append(": ")
                .append(headline())
                .append("\n\n");
        out.append(Scores.aligned(lines));
        if (shown < columns.size()) {
            out.append("and ").append(columns.size() - shown).append(" more columns; --all shows them\n");
        }
        out.append(legend()).append("\n\n").append(outside()).append("\n\n");
        out.append(whole()).append('\n').append(certificate()).append('\n');
        if (!promises.isEmpty()) {
            List<List<String>> table = new ArrayList<>(List.of(List.of("rho", "loss at most")));
            promises.forEach(p -> table.add(List.of(down(p.rho()) + ", " + p.why(), Scores.atMost(p.loss()))));
            out.append(Scores.aligned(table));
        }
        estimate().ifPresent(words -> out.append('\n').append(words).append('\n'));
        if (all.measured().isPresent() || !times.isEmpty() || !sources.isEmpty()) {
            out.append('\n').append(Scores.aligned(lines("source", sources)));
        }
        if (!times.isEmpty()) {
            out.append('\n').append(Scores.aligned(lines(Scores.printable(timeColumn), times)));
        }
        return out.toString();
    }

    /** Returns all numbers. */
    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("data", file());
        root.put("sha256", later.rows().source().sha256());
        root.put("rows", later.rows().rows());
        root.put("compared_with", before());
        JsonText.put(root, reference.isPresent() ? "rho_at_least" : "rho_from_summary", rho);
        root.put("rows_outside", far.outside());
        root.put("rows_far_outside", far.far());
        far.worst().ifPresent(worst -> {
            ObjectNode node = root.putObject("farthest");
            node.put("row", worst.row() + 1);
            node.put("column", worst.column());
            JsonText.put(node, "value", worst.value());
            JsonText.put(node, "lowest", worst.lowest());
            JsonText.put(node, "highest", worst.highest());
        });
        ArrayNode nodes = root.putArray("columns");
        for (ColumnDrift c : columns) {
            ObjectNode node = nodes.addObject();
            node.put("column", c.column());
            node.put("text", c.text());
            JsonText.put(node, "effect", c.effect());
            JsonText.put(node, "effect_on_mean", c.meanEffect());
            JsonText.put(node, "distance", c.distance());
            JsonText.put(node, "mean_shift", c.shift());
            JsonText.put(node, "rho", c.cost());
            node.put("rows_outside", c.outside());
            Optional.ofNullable(later.missing().get(c.column())).ifPresent(m -> JsonText.put(node, "missing", m));
            put(node, "before", c.training());
            put(node, "now", c.now());
        }
        if (!promises.isEmpty()) {
            LossUnit.of(model).put(root);
        }
        ArrayNode promised = root.putArray("certificate");
        promises.forEach(p -> {
            ObjectNode node = promised.addObject();
            JsonText.put(node, "rho", p.rho());
            JsonText.put(node, "loss_at_most", p.loss());
            node.put("about", p.why());
        });
        put(root.putObject("all"), all);
        ArrayNode bySource = root.putArray("by_source");
        sources.forEach(group -> put(bySource.addObject().put("source", group.name()), group));
        ArrayNode overTime = root.putArray("over_time");
        times.forEach(group -> put(overTime.addObject().put("time", group.name()), group));
        return root;
    }

    private static void put(ObjectNode node, String name, double[] values) {
        if (values.length > 0) {
            ObjectNode own = node.putObject(name);
            JsonText.put(own, "lowest", values[0]);
            JsonText.put(own, "mean", values[1]);
            JsonText.put(own, "highest", values[2]);
        }
    }

    private static void put(ObjectNode node, RowGroup group) {
        node.put("rows", group.rows());
        if (group.estimated().isPresent()) {
            EstimatedError e = group.estimated().get();
            JsonText.put(node, "estimated_error", e.error());
            JsonText.put(node, "estimated_share", e.share());
            JsonText.put(node, "estimated_precision", e.precision());
            JsonText.put(node, "estimated_recall", e.recall());
        }
        if (group.measured().isPresent()) {
            Evaluation e = group.measured().get();
            JsonText.put(node, e.headlineMetric().key(), e.headline());
            e.interval(e.headlineMetric()).ifPresent(i -> {
                JsonText.put(node, "low", i.low());
                JsonText.put(node, "high", i.high());
            });
        }
    }

    /** Returns a page that needs no network and no script. */
    public String html() {
        return new DriftPage(this).html();
    }
}
