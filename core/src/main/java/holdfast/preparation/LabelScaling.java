package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import holdfast.model.LabelUnit;
import java.util.Arrays;

/**
 * Scales labels that are numbers: a model learns (y - offset) / divisor, fitted on the training rows. Lambda has the
 * unit of the loss, so this makes it mean the same whether prices are in cents or in millions, and visits by the day or
 * by the year.
 */
public record LabelScaling(double offset, double divisor) {
    private static final double NORMAL = 1.4826;
    /** The square of a smaller deviation may have lost digits. */
    private static final double SMALLEST = 1e-150;

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
     * Fits the unit that a model asks for.
     *
     * @param intercept whether the model has one; without one there is no offset, because an offset acts as an
     *     intercept
     */
    public static LabelScaling fit(LabelUnit unit, Rows training, boolean intercept) {
        LabelScaling fitted = switch (unit) {
            case NONE -> NONE;
            case STANDARD -> standard(training);
            case ROBUST -> robust(training);
            case MEAN -> byMean(training);
        };
        return intercept ? fitted : fitted.withoutOffset();
    }

    /** Fits the mean and the standard deviation. */
    public static LabelScaling standard(Rows training) {
        LabelScaling plain = standard(training, 1);
        if (plain != null) {
            return plain;
        }
        // Sums overflowed or squares underflowed: repeat in a unit that makes the largest label about 1.
        double largest =
                training.reduce(block -> Vectors.maxAbs(block.labels(), block.rows()), (a, b) -> Math.max(a, b));
        LabelScaling scaled = largest > 0 ? standard(training, Math.scalb(1.0, -Math.getExponent(largest))) : null;
        return scaled == null ? new LabelScaling(sum(training, y -> y) / training.count(), 1) : scaled;
    }

    /** Returns null if sums of squares of labels in this unit are too small or not finite. */
    private static LabelScaling standard(Rows training, double unit) {
        double mean = sum(training, y -> y * unit) / training.count();
        double sd = Math.sqrt(sum(training, y -> (y * unit - mean) * (y * unit - mean)) / training.count());
        return sd > (unit == 1 ? SMALLEST : 0) && Double.isFinite(sd) ? new LabelScaling(mean / unit, sd / unit) : null;
    }

    /**
     * Fits the median and 1.4826 times the median distance from it, which for normal labels is the standard deviation.
     * A few outliers change neither. If more than half of the labels are equal, this is {@link #standard}.
     */
    public static LabelScaling robust(Rows training) {
        double[] y = training.reduce(block -> block.labels().clone(), LabelScaling::join);
        double centre = median(y);
        double spread =
                NORMAL * median(Arrays.stream(y).map(v -> Math.abs(v - centre)).toArray());
        return spread > 0 ? new LabelScaling(centre, spread) : standard(training);
    }

    /** Fits the mean as divisor, without an offset, so that counts stay positive. */
    public static LabelScaling byMean(Rows training) {
        double mean = sum(training, y -> y) / training.count();
        return new LabelScaling(0, mean > 0 ? mean : 1);
    }

    private LabelScaling withoutOffset() {
        return new LabelScaling(0, divisor);
    }

    private static double sum(Rows rows, LabelFunction term) {
        return rows.reduce(
                block -> Vectors.sum(Arrays.stream(block.labels()).map(term).toArray(), block.rows()), Double::sum);
    }

    private static double[] join(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static double median(double[] values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int n = sorted.length;
        return sorted[(n - 1) / 2] / 2 + sorted[n / 2] / 2;
    }

    public Dataset apply(Dataset data) {
        return equals(NONE)
                ? data
                : data.map(block -> block.relabelled(Arrays.stream(block.labels())
                        .map(y -> (y - offset) / divisor)
                        .toArray()));
    }

    /** Returns the label that was learnt as this number. */
    public double restore(double scaled) {
        return scaled * divisor + offset;
    }
}
