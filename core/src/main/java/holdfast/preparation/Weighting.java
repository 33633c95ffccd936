package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * How much each row counts: its own weight divided by the mean of these weights, times the weight of its class. The
 * division keeps the meaning of l2 and of a learning rate. Balanced weights, n/(k n_c) for class c of k, have mean 1.
 *
 * @param mean the mean of the rows' own weights
 * @param classes the weights of the classes; empty if classes have no weights
 */
public record Weighting(double mean, double[] classes) {
    public Weighting {
        Check.that(mean > 0 && Double.isFinite(mean), "the mean of weights must be finite and > 0, got %s", mean);
        classes = classes.clone();
    }

    /** Returns a copy. */
    @Override
    public double[] classes() {
        return classes.clone();
    }

    public static Weighting fit(Rows rows, ClassWeights classWeights) {
        return new Weighting(
                rows.weighted() ? rows.reduce(Weighting::sum, Double::sum) / rows.count() : 1,
                ofClasses(rows, classWeights));
    }

    private static double sum(Block block) {
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, block::weight);
        return Vectors.sum(weights, weights.length);
    }

    private static double[] ofClasses(Rows rows, ClassWeights classWeights) {
        if (classWeights instanceof ClassWeights.None) {
            return new double[0];
        }
        int k = rows.schema().classes().size();
        Check.that(
                k > 0,
                "--class-weights need classes, but %s has numbers",
                rows.schema().label());
        if (classWeights instanceof ClassWeights.Given given) {
            Check.that(
                    given.weights().size() == k,
                    "--class-weights must be %d numbers, one per class, got %d",
                    k,
                    given.weights().size());
            return given.weights().stream().mapToDouble(Double::doubleValue).toArray();
        }
        double[] counts = rows.reduce(block -> counts(block, k), Vectors::add);
        return Arrays.stream(counts).map(count -> rows.count() / (k * count)).toArray();
    }

    private static double[] counts(Block block, int classes) {
        double[] counts = new double[classes];
        for (double label : block.labels()) {
            counts[(int) label]++;
        }
        return counts;
    }

    /** Returns the same rows with the weights by which they count. */
    public Dataset apply(Dataset rows) {
        return mean == 1 && classes.length == 0 ? rows : rows.map(this::apply);
    }

    private Block apply(Block block) {
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, j -> block.weight(j) / mean * (classes.length == 0 ? 1 : classes[(int) block.label(j)]));
        return block.weighted(weights);
    }
}
