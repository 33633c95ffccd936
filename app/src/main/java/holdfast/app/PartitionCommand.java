package holdfast.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.formats.PlanFile;
import holdfast.training.PlanKey;
import holdfast.training.PreparedData;
import holdfast.training.TrainingPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        description = "Shows how many rows of each class every worker would hold, as a table and a picture.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class PartitionCommand implements Callable<Integer> {
    private static final int BAR = 30;
    private static final String[] COLOURS = {"#9db8d2", "#c2571a"};

    @CommandLine.Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", description = "the table: a file, builtin:spambase, or - for standard input")
    private String data;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--svg", paramLabel = "FILE", description = "draw the picture into a file")
    private Path svg;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    /** What one worker holds, by class. */
    private record Holding(String worker, int[] byClass) {
        int rows() {
            return IntStream.of(byClass).sum();
        }
    }

    /** Only what decides the partition is an option. */
    static CommandLine commandLine() {
        List<PlanKey<?>> decisive = new ArrayList<>(Bench.DECISIVE);
        decisive.add(PlanKey.LABEL);
        decisive.add(PlanKey.HEADER);
        return PlanOptions.addTo(
                new PartitionCommand(),
                TrainingPlan.defaults(),
                PlanKey.all().stream().filter(key -> !decisive.contains(key)).toArray(PlanKey<?>[]::new));
    }

    @Override
    public Integer call() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (planFile != null) {
            settings.putAll(PlanFile.read(planFile));
        }
        settings.putAll(PlanOptions.given(spec));
        TrainingPlan plan = TrainingPlan.of(settings).without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE);
        if (svg != null) {
            TrainCommand.mayBeReplaced("--svg", svg, data, planFile);
        }
        Dataset rows = DataFile.read(data, plan);
        PreparedData prepared = PreparedData.of(rows, plan);
        List<Holding> holdings = IntStream.range(0, prepared.shards().size())
                .mapToObj(w -> new Holding(
                        prepared.partition().workers().get(w),
                        byClass(prepared.shards().get(w))))
                .toList();
        System.out.print(json ? json(rows, plan, holdings) : text(rows, plan, holdings));
        if (svg != null) {
            AtomicFile.write(svg, picture(rows, holdings));
        }
        return Exit.OK;
    }

    private static int[] byClass(Dataset shard) {
        int[] counts = new int[shard.schema().classes().size()];
        IntStream.range(0, shard.rows()).forEach(r -> counts[(int) shard.label(r)]++);
        return counts;
    }

    private static String text(Dataset rows, TrainingPlan plan, List<Holding> holdings) {
        List<String> classes = rows.schema().classes();
        int replicas = plan.get(PlanKey.REPLICAS);
        int dealt = holdings.stream().mapToInt(Holding::rows).sum() / replicas;
        int most = holdings.stream().mapToInt(Holding::rows).max().orElseThrow();
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
                classes.stream().map(c -> String.format("%9s", cut(c, 9))).collect(Collectors.joining())));
        for (Holding h : holdings) {
            out.append(String.format(Locale.ROOT, "%-16s %7d  ", cut(h.worker, 16), h.rows()));
            IntStream.of(h.byClass).forEach(n -> out.append(String.format("%9d", n)));
            out.append("  ");
            for (int c = 0; c < h.byClass.length; c++) {
                out.append((c == 0 ? "." : "#").repeat((int) Math.rint((double) BAR * h.byClass[c] / most)));
            }
            out.append('\n');
        }
        return out.append(String.format(
                        Locale.ROOT,
                        "%nbars: . %s, # %s; the workers' shares of %s differ from that of all by %.3f on average%n",
                        classes.get(0),
                        classes.get(1),
                        classes.get(1),
                        distance(holdings)))
                .toString();
    }

    private static String how(TrainingPlan plan) {
        String column = plan.get(PlanKey.WORKERS_BY);
        int replicas = plan.get(PlanKey.REPLICAS);
        return (column.isEmpty() ? plan.get(PlanKey.PARTITION).toString() : "by " + column)
                + (replicas == 1 ? "" : ", each row to " + replicas);
    }

    /** The total variation distance of a worker's classes from those of all, averaged over the workers. */
    private static double distance(List<Holding> holdings) {
        double all = holdings.stream().mapToInt(Holding::rows).sum();
        double sum = 0;
        for (Holding h : holdings) {
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

    private static String json(Dataset rows, TrainingPlan plan, List<Holding> holdings) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("data", rows.source().name());
        root.put("sha256", rows.source().sha256());
        root.put("seed", plan.get(PlanKey.SEED));
        root.put("partition", how(plan));
        root.put("distance", distance(holdings));
        var workers = root.putArray("workers");
        for (Holding h : holdings) {
            ObjectNode node = workers.addObject().put("worker", h.worker).put("rows", h.rows());
            ObjectNode classes = node.putObject("classes");
            for (int c = 0; c < h.byClass.length; c++) {
                classes.put(rows.schema().classes().get(c), h.byClass[c]);
            }
        }
        return Summary.print(root);
    }

    /** One bar per worker, as long as it has rows, in the colours of the classes. */
    private static String picture(Dataset rows, List<Holding> holdings) {
        Check.that(holdings.size() <= 1000, "a picture shows at most 1000 workers, got %d", holdings.size());
        int most = holdings.stream().mapToInt(Holding::rows).max().orElseThrow();
        List<String> classes = rows.schema().classes();
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                50 + 20 * holdings.size()));
        for (int c = 0; c < classes.size(); c++) {
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"12\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"22\">%s %s</text>%n",
                    150 + 180 * c,
                    COLOURS[c],
                    168 + 180 * c,
                    escaped(cut(rows.schema().label(), 12)),
                    escaped(cut(classes.get(c), 12))));
        }
        for (int w = 0; w < holdings.size(); w++) {
            Holding h = holdings.get(w);
            int y = 38 + 20 * w;
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
                        COLOURS[c]));
                x += width;
            }
            out.append(String.format(
                    Locale.ROOT, "<text x=\"%.2f\" y=\"%d\" fill=\"#55606e\">%d</text>%n", x + 6, y + 12, h.rows()));
        }
        return out.append("</svg>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
