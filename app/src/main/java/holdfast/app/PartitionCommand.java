package holdfast.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.training.PreparedData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast partition}: who would hold what. */
@Command(
        name = "partition",
        description =
                "Shows how many rows of each class, or which numbers, every worker would hold, as a table and a picture.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class PartitionCommand implements Callable<Integer> {
    private static final int BAR = 30;
    private static final String[] COLOURS = {"#9db8d2", "#c2571a"};

    /** More columns than these no screen shows. */
    private static final int MAX_COLUMNS = 10;

    /** The settings that decide who holds what, and so are options. */
    private static final List<PlanKey<?>> DECISIVE = List.of(
            PlanKey.SEED,
            PlanKey.MODEL,
            PlanKey.TEST_SHARE,
            PlanKey.SCALE,
            PlanKey.CLASS_WEIGHTS,
            PlanKey.ROOT,
            PlanKey.WORKERS,
            PlanKey.REPLICAS,
            PlanKey.WORKERS_BY,
            PlanKey.PARTITION);

    @CommandLine.Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "DATA",
            description = "the table: a file, builtin:spambase, builtin:digits, or - for standard input")
    private String data;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--svg", paramLabel = "FILE", description = "draw the picture into a file")
    private Path svg;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    /**
     * What one worker holds.
     *
     * @param byClass rows of each class; where labels are numbers, all of them
     * @param labels as the data have them
     */
    private record Holding(String worker, int[] byClass, DoubleSummaryStatistics labels) {
        int rows() {
            return (int) labels.getCount();
        }
    }

    /** Only what decides the partition is an option. */
    static CommandLine commandLine() {
        List<PlanKey<?>> decisive = new ArrayList<>(DECISIVE);
        decisive.addAll(DataFile.READING);
        return PlanOptions.addOnly(new PartitionCommand(), decisive);
    }

    @Override
    public Integer call() {
        Plan plan =
                Plan.of(PlanOptions.settings(spec, planFile)).without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE);
        if (svg != null) {
            TrainCommand.mayBeReplaced("--svg", svg, data, planFile);
        }
        Warnings.show(false);
        Table rows = DataFile.read(data, plan);
        PreparedData prepared = PreparedData.of(rows, plan);
        List<Holding> holdings = IntStream.range(0, prepared.shards().size())
                .mapToObj(w -> holding(prepared, w))
                .toList();
        System.out.print(json ? json(rows, plan, holdings) : text(rows, plan, holdings));
        if (svg != null) {
            AtomicFile.write(svg, picture(rows, holdings));
        }
        return Exit.OK;
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

    private static String text(Table rows, Plan plan, List<Holding> holdings) {
        List<String> classes = rows.schema().classes();
        int dealt = holdings.stream().mapToInt(Holding::rows).sum() / plan.get(PlanKey.REPLICAS);
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %d of %d rows dealt to %d workers, %s, seed %d%n%n%-16s %7s  %s%n",
                rows.source().name(),
                dealt,
                rows.rows(),
                holdings.size(),
                how(plan),
                plan.get(PlanKey.SEED),
                "worker",
                "rows",
                classes.isEmpty() ? "     min     mean      max" : classHeads(classes)));
        for (Holding h : holdings) {
            out.append(String.format(Locale.ROOT, "%-16s %7d  ", cut(h.worker, 16), h.rows()))
                    .append(classes.isEmpty() ? numbers(h) : counts(h, holdings))
                    .append('\n');
        }
        return out.append('\n').append(summary(rows, holdings)).append('\n').toString();
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

    /** With a bar where two classes leave room for it. */
    private static String counts(Holding h, List<Holding> holdings) {
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

    private static String summary(Table rows, List<Holding> holdings) {
        List<String> classes = rows.schema().classes();
        double distance = distance(holdings, classes.isEmpty());
        if (classes.isEmpty()) {
            return String.format(
                    Locale.ROOT,
                    "the workers' means of %s differ from that of all by %.4g on average",
                    rows.schema().label(),
                    distance);
        }
        return classes.size() == 2
                ? String.format(
                        Locale.ROOT,
                        "bars: . %s, # %s; the workers' shares of %s differ from that of all by %.3f on average",
                        classes.get(0),
                        classes.get(1),
                        classes.get(1),
                        distance)
                : String.format(
                        Locale.ROOT,
                        "the workers' shares of %d classes differ from those of all by %.3f on average"
                                + " (total variation)",
                        classes.size(),
                        distance);
    }

    private static String how(Plan plan) {
        String column = plan.get(PlanKey.WORKERS_BY);
        int replicas = plan.get(PlanKey.REPLICAS);
        return (column.isEmpty() ? plan.get(PlanKey.PARTITION).toString() : "by " + column)
                + (replicas == 1 ? "" : ", each row to " + replicas);
    }

    /**
     * How a worker's labels differ from those of all, averaged over the workers: the total variation distance of the classes,
     * or the difference of the means.
     */
    private static double distance(List<Holding> holdings, boolean numbers) {
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

    private static String json(Table rows, Plan plan, List<Holding> holdings) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("data", rows.source().name());
        root.put("sha256", rows.source().sha256());
        root.put("seed", plan.get(PlanKey.SEED));
        root.put("partition", how(plan));
        List<String> names = rows.schema().classes();
        root.put("distance", distance(holdings, names.isEmpty()));
        var workers = root.putArray("workers");
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
        return Summary.print(root);
    }

    /** One bar per worker, as long as it has rows, in the colours of the classes. */
    private static String picture(Table rows, List<Holding> holdings) {
        Check.that(holdings.size() <= 1000, "a picture shows at most 1000 workers, got %d", holdings.size());
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
                    escaped(name)));
        }
        for (int w = 0; w < holdings.size(); w++) {
            Holding h = holdings.get(w);
            int y = top + 20 * w;
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"142\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                    y + 12,
                    escaped(cut(h.worker, 20))));
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

    /** Round the colour wheel where two colours do not do. */
    private static String colour(int c, int classes) {
        return classes <= 2
                ? COLOURS[c]
                : String.format(Locale.ROOT, "hsl(%d, 48%%, %d%%)", 360 * c / classes, c % 2 == 0 ? 68 : 48);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
