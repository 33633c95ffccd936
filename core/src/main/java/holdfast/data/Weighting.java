package holdfast.data;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Rows count by their own weights, relative to the mean of these so that they change nothing in what l2 and a learning rate
 * mean, times the weight of their class. Balanced weights, n/(k n_c) for class c of k, have mean 1.
 *
 * @param mean of the rows' own weights
 * @param classes the weights of the classes; none: classes have no weights
 */
public record Weighting(double mean, double[] classes) {

    /**
     * @param weighted whether rows have weights of their own
     * @param classWeights none, balanced, or one number per class
     * @return null if every row counts the same
     */
    public static Weighting fit(Rows rows, boolean weighted, String classWeights) {
        if (classWeights.equals("none") && !weighted) {
            return null;
        }
        return new Weighting(
                weighted ? rows.reduce(Weighting::sum, Double::sum) / rows.count() : 1, ofClasses(rows, classWeights));
    }

    private static double sum(Block block) {
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, block::weight);
        return Vectors.sum(weights, weights.length);
    }

    private static double[] ofClasses(Rows rows, String classWeights) {
        if (classWeights.equals("none")) {
            return new double[0];
        }
        int k = rows.schema().classes().size();
        Check.that(
                k > 0,
                "class-weights need classes, but %s has numbers",
                rows.schema().label());
        if (classWeights.equals("balanced")) {
            double[] counts = rows.reduce(block -> counts(block, k), Vectors::add);
            return Arrays.stream(counts)
                    .map(count -> rows.count() / (k * count))
                    .toArray();
        }
        double[] given = Arrays.stream(classWeights.split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
        Check.that(given.length == k, "class-weights must be %d numbers, one per class, got %d", k, given.length);
        return given;
    }

    private static double[] counts(Block block, int classes) {
        double[] counts = new double[classes];
        for (double label : block.labels()) {
            counts[(int) label]++;
        }
        return counts;
    }

    public Block apply(Block block) {
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, j -> block.weight(j) / mean * (classes.length == 0 ? 1 : classes[(int) block.label(j)]));
        return block.weighted(weights);
    }
}
