package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.training.PreparedData;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Which rows every worker holds, as a table for the terminal, as a picture and as JSON. */
public final class PartitionReport {
    private static final int BAR = 30;
    private static final String[] COLOURS = {"#9db8d2", "#c2571a"};

    /** No screen shows more columns than this. */
    private static final int MAX_COLUMNS = 10;

    private final Table rows;
    private final Plan plan;
    private final List<Holding> holdings;

    public PartitionReport(Table rows, Plan plan, PreparedData prepared) {
        this.rows = rows;
        this.plan = plan;
        this.holdings = IntStream.range(0, prepared.shards().size())
                .mapToObj(w -> holding(prepared, w))
                .toList();
    }

    /**
     * The rows of one worker.
     *
     * @param byClass the number of rows of each class; if labels are numbers, of all rows
     * @param labels in their own unit
     */
    private record Holding(String worker, int[] byClass, DoubleSummaryStatistics labels) {
        int rows() {
            return (int) labels.getCount();
        }
    }

    private static Holding holding(PreparedData prepared, int w) {
        Dataset shard = prepared.shards().get(w);
        int classes = shard.schema().classes().size();
        int[] counts = new int[Math.max(1, classes)];
        DoubleSummaryStatistics labels = new DoubleSummaryStatistics();
        for (int r = 0; r < shard.rows(); r++) {
            counts[classes == 0 ? 0 : (int) shard.label(r)]++;
            labels.accept(prepared.labels().restore(shard.label(r)));
        }
        return new Holding(prepared.partition().workers().get(w), counts, labels);
    }

    /** The table for the terminal. */
    public String text() {
        List<String> classes = rows.schema().classes();
        int dealt = holdings.stream().mapToInt(Holding::rows).sum() / plan.get(PlanKey.REPLICAS);
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %d of %d rows dealt to %d workers, %s, seed %d%n%n%-16s %7s  %s%n",
                rows.source().name(),
                dealt,
                rows.rows(),
                holdings.size(),
                how(),
                plan.get(PlanKey.SEED),
                "worker",
                "rows",
                classes.isEmpty() ? "     min     mean      max" : classHeads(classes)));
        for (Holding h : holdings) {
            out.append(String.format(Locale.ROOT, "%-16s %7d  ", cut(h.worker, 16), h.rows()))
                    .append(classes.isEmpty() ? numbers(h) : counts(h))
                    .append('\n');
        }
        return out.append('\n').append(summary()).append('\n').toString();
    }

    private static String classHeads(List<String> classes) {
        int width = width(classes.size());
        return classes.stream()
                        .limit(MAX_COLUMNS)
                        .map(c -> String.format("%" + width + "s", cut(c, width - 1)))
                        .collect(Collectors.joining())
                + (classes.size() > MAX_COLUMNS ? "  ..." : "");
    }

    private static int width(int classes) {
        return classes == 2 ? 9 : 5;
    }

    private static String numbers(Holding h) {
        return String.format(
                Locale.ROOT, "%8.4g %8.4g %8.4g", h.labels.getMin(), h.labels.getAverage(), h.labels.getMax());
    }

    /** Prints the counts, with a bar if two classes leave room for it. */
    private String counts(Holding h) {
        StringBuilder out = new StringBuilder();
        IntStream.of(h.byClass)
                .limit(MAX_COLUMNS)
                .forEach(n -> out.append(String.format("%" + width(h.byClass.length) + "d", n)));
        if (h.byClass.length == 2) {
            int most = holdings.stream().mapToInt(Holding::rows).max().orElseThrow();
            out.append("  ")
                    .append(".".repeat((int) Math.rint((double) BAR * h.byClass[0] / most)))
                    .append("#".repeat((int) Math.rint((double) BAR * h.byClass[1] / most)));
        }
        return out.toString();
    }

    private String summary() {
        List<String> classes = rows.schema().classes();
        double distance = distance(classes.isEmpty());
        if (classes.isEmpty()) {
            return String.format(
                    Locale.ROOT,
                    "a worker's mean of %s differs from that of all rows by %.4g on average",
                    rows.schema().label(),
                    distance);
        }
        return classes.size() == 2
                ? String.format(
                        Locale.ROOT,
                        "bars: . %s, # %s; a worker's share of %s differs from that of all rows by %.3f on average",
                        classes.get(0),
                        classes.get(1),
                        classes.get(1),
                        distance)
                : String.format(
                        Locale.ROOT,
                        "a worker's shares of the %d classes differ from those of all rows by %.3f on average"
                                + " (total variation)",
                        classes.size(),
                        distance);
    }

    private String how() {
        int replicas = plan.get(PlanKey.REPLICAS);
        return plan.get(PlanKey.WORKERS_BY)
                        .map(column -> "by " + column)
                        .orElse(plan.get(PlanKey.PARTITION).toString())
                + (replicas == 1 ? "" : ", each row to " + replicas);
    }

    /**
     * How much a worker's labels differ from those of all workers, averaged over the workers: the total variation
     * distance of the classes, or the difference of the means.
     */
    private double distance(boolean numbers) {
        double all = holdings.stream().mapToInt(Holding::rows).sum();
        double mean = holdings.stream().mapToDouble(h -> h.labels.getSum()).sum() / all;
        double sum = 0;
        for (Holding h : holdings) {
            if (numbers) {
                sum += Math.abs(h.labels.getAverage() - mean);
                continue;
            }
            for (int c = 0; c < h.byClass.length; c++) {
                int k = c;
                double share = holdings.stream().mapToInt(o -> o.byClass[k]).sum() / all;
                sum += Math.abs((double) h.byClass[c] / h.rows() - share) / 2;
            }
        }
        return sum / holdings.size();
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "~";
    }

    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("data", rows.source().name());
        root.put("sha256", rows.source().sha256());
        root.put("seed", plan.get(PlanKey.SEED));
        root.put("partition", how());
        List<String> names = rows.schema().classes();
        root.put("distance", distance(names.isEmpty()));
        ArrayNode workers = root.putArray("workers");
        for (Holding h : holdings) {
            ObjectNode node = workers.addObject().put("worker", h.worker).put("rows", h.rows());
            if (names.isEmpty()) {
                node.put("min", h.labels.getMin())
                        .put("mean", h.labels.getAverage())
                        .put("max", h.labels.getMax());
                continue;
            }
            ObjectNode classes = node.putObject("classes");
            for (int c = 0; c < names.size(); c++) {
                classes.put(names.get(c), h.byClass[c]);
            }
        }
        return root;
    }

    /** Draws an SVG picture: one bar per worker, as long as its number of rows, in the colours of the classes. */
    public String picture() {
        Check.that(holdings.size() <= 1000, "--svg shows at most 1000 workers, got %d", holdings.size());
        int most = holdings.stream().mapToInt(Holding::rows).max().orElseThrow();
        List<String> classes = rows.schema().classes();
        int perLine = classes.size() <= 3 ? 3 : 8;
        int top = 38 + 18 * (Math.max(0, classes.size() - 1) / perLine);
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                top + 12 + 20 * holdings.size()));
        for (int c = 0; c < classes.size(); c++) {
            int x = 150 + 540 / perLine * (c % perLine);
            int y = 12 + 18 * (c / perLine);
            String name = perLine == 3
                    ? cut(rows.schema().label(), 12) + " " + cut(classes.get(c), 12)
                    : cut(classes.get(c), 6);
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>%n",
                    x,
                    y,
                    colour(c, classes.size()),
                    x + 18,
                    y + 10,
                    Page.escaped(name)));
        }
        for (int w = 0; w < holdings.size(); w++) {
            Holding h = holdings.get(w);
            int y = top + 20 * w;
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"142\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                    y + 12,
                    Page.escaped(cut(h.worker, 20))));
            double x = 150;
            for (int c = 0; c < h.byClass.length; c++) {
                double width = 500.0 * h.byClass[c] / most;
                out.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"15\" fill=\"%s\"/>%n",
                        x,
                        y,
                        width,
                        colour(c, h.byClass.length)));
                x += width;
            }
            out.append(String.format(
                    Locale.ROOT, "<text x=\"%.2f\" y=\"%d\" fill=\"#55606e\">%d</text>%n", x + 6, y + 12, h.rows()));
        }
        return out.append("</svg>\n").toString();
    }

    /** Goes round the colour wheel if two colours are not enough. */
    private static String colour(int c, int classes) {
        return classes <= 2
                ? COLOURS[c]
                : String.format(Locale.ROOT, "hsl(%d, 48%%, %d%%)", 360 * c / classes, c % 2 == 0 ? 68 : 48);
    }
}
