package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All numbers of one reproduction.
 *
 * @param seeds how many seeds each number is the mean of
 * @param dataHash sha256 of the data
 * @param splits by name: {@value #CLASS_SORTED} and {@value #IID}
 * @param softmax the paper's algorithms on ten classes
 * @param ambiguity the other ambiguity sets
 */
public record PaperResults(
        int seeds,
        String dataHash,
        Map<String, SplitResults> splits,
        SoftmaxResults softmax,
        AmbiguityResults ambiguity) {
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

    /** The paper's number for an algorithm; for our plan, the best number of any algorithm in the paper. */
    public static double published(String environment, String algorithm) {
        Map<String, Double> row = PUBLISHED.get(environment);
        return algorithm.equals(BEST) ? Collections.min(row.values()) : row.get(algorithm);
    }

    /** Whether the paper's number is that of a model that no longer learns: plain averaging under the aggressive attack. */
    public static boolean collapsed(String environment, String algorithm) {
        return List.of("E1", "E2").contains(environment)
                && List.of("ERM", "DRO").contains(algorithm);
    }

    /**
     * The results of one split.
     *
     * @param errors by environment and algorithm, both in the paper's order, one number per seed
     * @param withoutLiars the errors of NBS and Algorithm 2 under the shift of an environment when nobody lies
     * @param figures Figures 1 to 4
     * @param precision what the worst case costs Algorithm 2 in E1
     */
    public record SplitResults(
            Map<String, Map<String, double[]>> errors,
            Map<String, Map<String, double[]>> withoutLiars,
            List<Figure> figures,
            AscentPrecision precision) {

        /** Table I: mean and standard deviation of the errors. */
        public Map<String, Map<String, Statistic>> table() {
            Map<String, Map<String, Statistic>> table = new LinkedHashMap<>();
            errors.forEach((environment, row) ->
                    row.forEach((algorithm, bySeed) -> table.computeIfAbsent(environment, e -> new LinkedHashMap<>())
                            .put(algorithm, Statistic.of(bySeed))));
            return table;
        }

        public double mean(String environment, String algorithm) {
            return Statistic.of(errors.get(environment).get(algorithm)).mean();
        }
    }

    /**
     * Returns the mean absolute difference between Table I here, on the class-sorted split, and as published.
     *
     * @param collapsed whether over the four cells that collapse or over the other sixteen
     */
    public double difference(boolean collapsed) {
        return PUBLISHED.entrySet().stream()
                .flatMapToDouble(row -> row.getValue().entrySet().stream()
                        .filter(cell -> collapsed(row.getKey(), cell.getKey()) == collapsed)
                        .mapToDouble(
                                cell -> Math.abs(classSorted().mean(row.getKey(), cell.getKey()) - cell.getValue())))
                .average()
                .orElseThrow();
    }

    public SplitResults classSorted() {
        return splits.get(CLASS_SORTED);
    }

    public SplitResults iid() {
        return splits.get(IID);
    }
}
