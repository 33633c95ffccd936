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
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How much each row counts: its own weight divided by the mean weight of its worker's rows ({@link WorkerWeights}),
 * times the weight of its class. The division keeps the meaning of l2 and of a learning rate. Balanced weights,
 * 1/(k p_c) for the share p_c of class c of k, have mean 1.
 *
 * <p>Shares are combined {@link AcrossSources}, so f sources of more than 2f leave them within the range of the honest
 * sources' own. {@link SourceWeights} may weigh sources by their rows besides.
 *
 * @param rows the mean weights of rows
 * @param classes the weights of the classes; empty if classes have no weights
 * @param sources by worker, counted from 0: the factor for the weights of its rows, if it is not 1
 */
public record Weighting(WorkerWeights rows, double[] classes, Map<Integer, Double> sources) {
    /** Every row counts the same. */
    public static final Weighting NONE = new Weighting(WorkerWeights.NONE, new double[0], Map.of());

    public Weighting {
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
     * @param rows whose sources count as they are grouped, with weights relative to their group's mean; all together
     *     if they name none
     * @param sizes how many rows each source that will be a worker has
     * @param weights the mean weights of their rows
     * @param dealt whether rows were dealt to workers without regard to sources. Some workers may then have few
     *     classes only, so all rows are counted together
     */
    static Weighting fit(
            Rows rows,
            ClassWeights classWeights,
            SourceWeights sourceWeights,
            long[] sizes,
            WorkerWeights weights,
            boolean dealt,
            AcrossSources across) {
        double[] factors = sourceWeights.factors(IntStream.range(0, sizes.length)
                .mapToDouble(s -> weights.total(s, sizes[s]))
                .toArray());
        Map<Integer, Double> sources = new HashMap<>();
        for (int s = 0; s < factors.length; s++) {
            if (factors[s] != 1) {
                sources.put(s, factors[s]);
            }
        }
        return new Weighting(weights, ofClasses(rows, classWeights, dealt, across), sources);
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
            double[] together = counts.stream().reduce(Vectors::add).orElseThrow();
            double all = Arrays.stream(together).sum();
            return Arrays.stream(together).map(count -> all / (k * count)).toArray();
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
        for (int j = 0; j < block.rows(); j++) {
            counts[(int) block.label(j)] += block.weight(j);
        }
        return counts;
    }

    /**
     * Returns the rows of a worker with the weights by which they count there.
     *
     * @param shard rows that are prepared except for their weights
     * @param raw the weight of each row as it was given
     */
    public Dataset ofWorker(Dataset shard, int worker, IntToDoubleFunction raw) {
        double factor = sources.getOrDefault(worker, 1.0);
        if (rows.isNone() && classes.length == 0 && factor == 1) {
            return shard;
        }
        double mean = rows.isNone() ? 1 : rows.workers()[worker];
        return shard.reweigh(r -> raw.applyAsDouble(r) / mean * ofClass(shard.label(r)) * factor);
    }

    /** Returns a bound on how much more a row counts when its worker trains than in what {@link #apply} returns. */
    double heaviest() {
        int workers = Math.max(
                rows.workers().length,
                sources.keySet().stream().mapToInt(s -> s + 1).max().orElse(0));
        return IntStream.range(0, workers)
                .mapToDouble(w -> sources.getOrDefault(w, 1.0) * rows.gain(w))
                .reduce(1, Math::max);
    }

    /** Returns rows whose weights are relative to their group's mean with the weights by which they are measured. */
    public Dataset apply(Dataset grouped) {
        return classes.length == 0 ? grouped : grouped.map(this::apply);
    }

    private Block apply(Block block) {
        double[] weights = new double[block.rows()];
        Arrays.setAll(weights, j -> block.weight(j) * ofClass(block.label(j)));
        return block.weighted(weights);
    }

    private double ofClass(double label) {
        return classes.length == 0 ? 1 : classes[(int) label];
    }
}
