package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import holdfast.model.LabelUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Scales labels that are numbers: a model learns (y - offset) / divisor, fitted on the training rows. Lambda has the
 * unit of the loss, so this makes it mean the same whether prices are in cents or in millions, and visits by the day or
 * by the year.
 */
public record LabelScaling(double offset, double divisor) {
    private static final double NORMAL = 1.4826;
    /** The square of a smaller deviation may have lost digits. */
    private static final double SMALLEST = 1e-150;

    /** Scaled labels are cut off here, far beyond any label that can be learnt, so that losses stay finite. */
    private static final double LARGEST = 1e100;

    /** Leaves labels as they are. */
    public static final LabelScaling NONE = new LabelScaling(0, 1);

    public LabelScaling {
        Check.that(
                Double.isFinite(offset) && divisor > 0 && Double.isFinite(divisor),
                "label scaling needs a finite offset and a finite divisor > 0, got %s and %s",
                offset,
                divisor);
    }

    /**
     * Fits the unit that a model asks for to what the sources of the rows say. Offset and divisor are medians over
     * sources, so f sources of more than 2f leave both within the range of the honest sources' own.
     *
     * @param training rows whose sources count as they are grouped; all together if they name none
     * @param intercept whether the model has one; without one there is no offset, because an offset acts as an
     *     intercept
     * @param across combines the sources' numbers
     */
    public static LabelScaling fit(LabelUnit unit, Rows training, boolean intercept, AcrossSources across) {
        LabelScaling fitted = switch (unit) {
            case NONE -> NONE;
            case STANDARD -> standard(training, across);
            case ROBUST -> robust(training, across);
            case MEAN -> byMean(training, across);
        };
        return intercept ? fitted : fitted.withoutOffset();
    }

    /**
     * Fits the median of the sources' means and the median of their root mean square distances from it; for one source,
     * mean and standard deviation.
     */
    static LabelScaling standard(Rows training, AcrossSources across) {
        LabelScaling plain = standard(training, across, 1);
        if (plain != null) {
            return plain;
        }
        // Sums overflowed or squares underflowed: repeat in a unit that makes the largest label about 1.
        double largest = across.most(bySource(training, LabelScaling::largest, Math::max));
        LabelScaling scaled =
                largest > 0 ? standard(training, across, Math.scalb(1.0, -Math.getExponent(largest))) : null;
        return scaled == null ? new LabelScaling(across.median(means(training, y -> y)), 1) : scaled;
    }

    /** Returns null if sums of squares of labels in this unit are too small or not finite. */
    private static LabelScaling standard(Rows training, AcrossSources across, double unit) {
        double mean = across.median(means(training, y -> y * unit));
        double sd = spread(
                across,
                Arrays.stream(means(training, y -> (y * unit - mean) * (y * unit - mean)))
                        .map(Math::sqrt)
                        .toArray());
        return sd > (unit == 1 ? SMALLEST : 0) && Double.isFinite(sd) ? new LabelScaling(mean / unit, sd / unit) : null;
    }

    /** Returns the median, or if more than half of the sources have one label only, the (f+1)-th largest. */
    private static double spread(AcrossSources across, double[] bySource) {
        double median = across.median(bySource);
        return median > 0 ? median : across.most(bySource);
    }

    /**
     * Fits the median over sources of their medians and, of their labels' median distances from it, the median times
     * 1.4826: for normal labels of one source, the standard deviation. A few outliers change neither. If more than half
     * of the labels are equal, this is {@link #standard}.
     */
    static LabelScaling robust(Rows training, AcrossSources across) {
        boolean weighted = training.weighted();
        List<double[][]> sources =
                training.reduceBySource(block -> labelsAndWeights(block, weighted), LabelScaling::join).stream()
                        .filter(Objects::nonNull)
                        .toList();
        double centre = across.median(sources.stream()
                .mapToDouble(own -> WeightedMedian.of(own[0], own[1]))
                .toArray());
        double spread = NORMAL
                * spread(
                        across,
                        sources.stream()
                                .mapToDouble(own -> WeightedMedian.of(
                                        Arrays.stream(own[0])
                                                .map(y -> Math.abs(y - centre))
                                                .toArray(),
                                        own[1]))
                                .toArray());
        return spread > 0 ? new LabelScaling(centre, spread) : standard(training, across);
    }

    /** Fits the median of the sources' means as divisor, without an offset, so that counts stay positive. */
    static LabelScaling byMean(Rows training, AcrossSources across) {
        double mean = spread(across, means(training, y -> y));
        return new LabelScaling(0, mean > 0 && Double.isFinite(mean) ? mean : 1);
    }

    private LabelScaling withoutOffset() {
        return new LabelScaling(0, divisor);
    }

    /** Returns for each source the mean of a term over its rows, by their weights. */
    private static double[] means(Rows rows, LabelFunction term) {
        return rows
                .reduceBySource(
                        block -> {
                            double[] terms = new double[block.rows()];
                            Arrays.setAll(terms, j -> block.weight(j) * term.applyAsDouble(block.label(j)));
                            return new double[] {Vectors.sum(terms, terms.length), block.totalWeight()};
                        },
                        Vectors::add)
                .stream()
                .filter(Objects::nonNull)
                .mapToDouble(sum -> sum[0] / sum[1])
                .toArray();
    }

    private static double largest(Block block) {
        return Vectors.maxAbs(block.labels(), block.rows());
    }

    private static double[] bySource(Rows rows, Rows.Leaf<Double> leaf, Rows.Merger<Double> merger) {
        return rows.reduceBySource(leaf, merger).stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private static double[][] labelsAndWeights(Block block, boolean weighted) {
        double[] weights = new double[weighted ? block.rows() : 0];
        Arrays.setAll(weights, block::weight);
        return new double[][] {block.labels().clone(), weights};
    }

    private static double[][] join(double[][] first, double[][] second) {
        return new double[][] {join(first[0], second[0]), join(first[1], second[1])};
    }

    private static double[] join(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    public Dataset apply(Dataset data) {
        return equals(NONE)
                ? data
                : data.map(block -> block.relabelled(
                        Arrays.stream(block.labels()).map(this::scaled).toArray()));
    }

    private double scaled(double label) {
        return Math.max(-LARGEST, Math.min(LARGEST, (label - offset) / divisor));
    }

    /** Returns the label that was learnt as this number. */
    public double restore(double scaled) {
        return scaled * divisor + offset;
    }
}
