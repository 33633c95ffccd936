package holdfast.app.paper;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.app.Statistic;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * All numbers of one reproduction.
 *
 * @param seeds how many seeds each number is the mean of
 * @param dataHash sha256 of the data
 * @param splits by name: {@value #CLASS_SORTED} and {@value #IID}
 * @param softmax what the paper's algorithms do with ten classes
 */
public record PaperResults(int seeds, String dataHash, Map<String, SplitResults> splits, SoftmaxResults softmax) {
    public static final String CLASS_SORTED = "class-sorted";
    public static final String IID = "iid";

    /** Misclassification rates of Table I as published, by environment and algorithm. */
    public static final Map<String, Map<String, Double>> PUBLISHED = Map.of(
            "E0", Map.of("ERM", 0.0959, "NBS", 0.1076, "DRO", 0.0926, "Algorithm 2", 0.1037),
            "E1", Map.of("ERM", 0.4658, "NBS", 0.1931, "DRO", 0.4697, "Algorithm 2", 0.1350),
            "E2", Map.of("ERM", 0.4866, "NBS", 0.3170, "DRO", 0.4912, "Algorithm 2", 0.2322),
            "E3", Map.of("ERM", 0.1931, "NBS", 0.2107, "DRO", 0.1357, "Algorithm 2", 0.2048),
            "E4", Map.of("ERM", 0.3138, "NBS", 0.3164, "DRO", 0.2290, "Algorithm 2", 0.2779));

    /** The column that the paper does not have: plans/best.yaml. */
    public static final String BEST = "Best plan";

    /** The columns of Table I, and ours. */
    public static final List<String> ALGORITHMS = List.of("ERM", "NBS", "DRO", "Algorithm 2", BEST);

    /** What the paper published for an algorithm; for our plan, the best that it published for any. */
    static double published(String environment, String algorithm) {
        Map<String, Double> row = PUBLISHED.get(environment);
        return algorithm.equals(BEST) ? Collections.min(row.values()) : row.get(algorithm);
    }

    /**
     * One split's share.
     *
     * @param table by environment and algorithm, both in the paper's order
     * @param figures Figures 1 to 4
     */
    public record SplitResults(Map<String, Map<String, Statistic>> table, List<Figure> figures) {
        double mean(String environment, String algorithm) {
            return table.get(environment).get(algorithm).mean();
        }
    }

    public SplitResults classSorted() {
        return splits.get(CLASS_SORTED);
    }

    public SplitResults iid() {
        return splits.get(IID);
    }

    /** paper.json: {@code table1[environment][algorithm]}, {@code figure1} to 4, and the same with {@code _iid}; {@code softmax}. */
    ObjectNode json(String version) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("holdfast", version);
        root.put("data", "builtin:spambase");
        root.put("sha256", dataHash);
        root.put("seeds", seeds);
        put(root, classSorted(), "");
        put(root, iid(), "_iid");
        softmax.put(root);
        return root;
    }

    private static void put(ObjectNode root, SplitResults split, String suffix) {
        ObjectNode table = root.putObject("table1" + suffix);
        split.table().forEach((environment, row) -> {
            ObjectNode cells = table.putObject(environment);
            row.forEach((algorithm, value) ->
                    cells.putObject(algorithm).put("mean", value.mean()).put("sd", value.sd()));
        });
        for (int f = 0; f < split.figures().size(); f++) {
            Figure figure = split.figures().get(f);
            ObjectNode node = root.putObject("figure" + (f + 1) + suffix);
            node.put("title", figure.title());
            node.put("axis", figure.axis());
            ArrayNode x = node.putArray("x");
            figure.x().forEach(x::add);
            ArrayNode all = node.putArray("series");
            figure.series().forEach((name, values) -> {
                ObjectNode series = all.addObject().put("name", name);
                ArrayNode mean = series.putArray("mean");
                ArrayNode sd = series.putArray("sd");
                values.forEach(v -> {
                    mean.add(v.mean());
                    sd.add(v.sd());
                });
            });
        }
    }
}
