package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * How much each row counts: its own weight divided by the mean of these weights, times the weight of its class. The
 * division keeps the meaning of l2 and of a learning rate. Balanced weights, 1/(k p_c) for the share p_c of class c of
 * k, have mean 1.
 *
 * <p>Means and shares are combined {@link AcrossSources}, so f sources of more than 2f leave them within the range of
 * the honest sources' own. A source whose rows weigh more on average than the (f+1)-th heaviest source's is made as
 * light as that one; there are at most f of them. {@link SourceWeights} may weigh sources by their rows besides.
 *
 * @param mean the mean of the rows' own weights
 * @param classes the weights of the classes; empty if classes have no weights
 * @param sources by source, counted from 0: the factor for the weights of its rows, if it is not 1
 */
public record Weighting(double mean, double[] classes, Map<Integer, Double> sources) {
    /** Every row counts the same. */
    public static final Weighting NONE = new Weighting(1, new double[0], Map.of());

    public Weighting {
        Check.that(mean > 0 && Double.isFinite(mean), "the mean of weights must be finite and > 0, got %s", mean);
        classes = classes.clone();
        sources = Map.copyOf(sources);
        sources.values()
                .forEach(factor -> Check.that(
                        factor > 0 && Double.isFinite(factor),
                        "the factor of a source must be finite and > 0, got %s",
                        factor));
    }

    /** Returns a copy. */
    @Override
    public double[] classes() {
        return classes.clone();
    }

    /**
     * Fits weights to what the sources of the rows say.
     *
     * @param rows whose sources count as they are grouped; all together if they name none
     * @param sizes how many rows each source that will be a worker has
     * @param meanWeights the mean weight of each of them; empty if rows have no weights
     * @param dealt whether rows were dealt to workers without regard to sources. Some workers may then have few
     *     classes only, so all rows are counted together
     */
    static Weighting fit(
            Rows rows,
            ClassWeights classWeights,
            SourceWeights sourceWeights,
            long[] sizes,
            double[] meanWeights,
            boolean dealt,
            AcrossSources across) {
        double[] factors = sourceWeights.factors(sizes);
        lighten(factors, meanWeights, across);
        Map<Integer, Double> sources = new HashMap<>();
        for (int s = 0; s < factors.length; s++) {
            if (factors[s] != 1) {
                sources.put(s, factors[s]);
            }
        }
        return new Weighting(
                rows.weighted() ? across.median(means(rows)) : 1,
                ofClasses(rows, classWeights, dealt, across),
                sources);
    }

    private static double[] means(Rows rows) {
        return rows
                .reduceBySource(
                        block -> {
                            double[] weights = new double[block.rows()];
                            Arrays.setAll(weights, block::weight);
                            return new double[] {Vectors.sum(weights, weights.length), block.rows()};
                        },
                        Vectors::add)
                .stream()
                .filter(Objects::nonNull)
                .mapToDouble(sum -> sum[0] / sum[1])
                .toArray();
    }

    private static void lighten(double[] factors, double[] means, AcrossSources across) {
        double most = across.tolerated() == 0 ? Double.POSITIVE_INFINITY : across.most(means);
        for (int s = 0; s < means.length; s++) {
            if (means[s] > most) {
                factors[s] *= Math.max(Double.MIN_NORMAL, most / means[s]);
            }
        }
    }

    private static double[] ofClasses(Rows rows, ClassWeights classWeights, boolean dealt, AcrossSources across) {
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
        List<double[]> counts = rows.reduceBySource(block -> counts(block, k), Vectors::add).stream()
                .filter(Objects::nonNull)
                .toList();
        if (dealt || across.tolerated() == 0) {
            return Arrays.stream(counts.stream().reduce(Vectors::add).orElseThrow())
                    .map(count -> rows.count() / (k * count))
                    .toArray();
        }
        return IntStream.range(0, k)
                .mapToDouble(c -> 1 / (k * share(counts, c, across)))
                .toArray();
    }

    /** Returns the mean share of a class or, if most sources do not have it, the (f+1)-th largest. */
    private static double share(List<double[]> counts, int c, AcrossSources across) {
        double[] shares = counts.stream()
                .mapToDouble(own -> own[c] / Vectors.sum(own, own.length))
                .toArray();
        double mean = across.mean(shares);
        return mean > 0 ? mean : across.most(shares);
    }

    private static double[] counts(Block block, int classes) {
        double[] counts = new double[classes];
        for (double label : block.labels()) {
            counts[(int) label]++;
        }
        return counts;
    }

    /** Returns the rows of a worker with the weights by which they count, given what {@link #apply} made of them. */
    public Dataset ofSource(Dataset shard, int source) {
        double factor = sources.getOrDefault(source, 1.0);
        return factor == 1
                ? shard
                : shard.map(block -> {
                    double[] weights = new double[block.rows()];
                    Arrays.setAll(weights, j -> block.weight(j) * factor);
                    return block.weighted(weights);
                });
    }

    /** Returns the largest factor of a source, or 1 if no source is made heavier. */
    double heaviest() {
        return sources.values().stream().mapToDouble(Double::doubleValue).reduce(1, Math::max);
    }

    /** Returns the same rows with the weights by which they count, up to the factor of their source. */
    public Dataset apply(Dataset rows) {
        return mean == 1 && classes.length == 0 ? rows : rows.map(this::apply);
    }

    private Block apply(Block block) {
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, j -> block.weight(j) / mean * (classes.length == 0 ? 1 : classes[(int) block.label(j)]));
        return block.weighted(weights);
    }
}
