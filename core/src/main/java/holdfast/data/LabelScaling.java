package holdfast.data;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Labels that are numbers are learnt as (y - offset) / divisor, fitted on the training rows: so lambda, which has the unit
 * of the loss, means the same whether prices are in cents or in millions, and visits by the day or by the year.
 */
public record LabelScaling(double offset, double divisor) {
    private static final double NORMAL = 1.4826;

    /** Labels as they are. */
    public static final LabelScaling NONE = new LabelScaling(0, 1);

    public LabelScaling {
        Check.that(
                Double.isFinite(offset) && divisor > 0 && Double.isFinite(divisor),
                "label scaling needs a finite offset and a finite divisor > 0, got %s and %s",
                offset,
                divisor);
    }

    /** The mean and the standard deviation. */
    public static LabelScaling standard(Dataset training) {
        double[] y = labels(training);
        int n = y.length;
        double mean = Vectors.sum(y, n) / n;
        double[] gaps = Arrays.stream(y).map(v -> v - mean).toArray();
        double sd = Math.sqrt(Vectors.dot(gaps, gaps, n) / n);
        return new LabelScaling(mean, sd > 0 ? sd : 1);
    }

    /**
     * The median and the median distance from it, times 1.4826, which for normal labels is the standard deviation: a few
     * outliers change neither. Where more than half of the labels are the same, as {@link #standard}.
     */
    public static LabelScaling robust(Dataset training) {
        double[] y = labels(training);
        double centre = median(y);
        double spread =
                NORMAL * median(Arrays.stream(y).map(v -> Math.abs(v - centre)).toArray());
        return spread > 0 ? new LabelScaling(centre, spread) : standard(training);
    }

    /** No offset, so that counts stay positive, and the mean as divisor. */
    public static LabelScaling byMean(Dataset training) {
        double[] y = labels(training);
        double mean = Vectors.sum(y, y.length) / y.length;
        return new LabelScaling(0, mean > 0 ? mean : 1);
    }

    private static double[] labels(Dataset data) {
        double[] y = new double[data.rows()];
        Arrays.setAll(y, data::label);
        return y;
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

    /** The label that was learnt as this number. */
    public double restore(double scaled) {
        return scaled * divisor + offset;
    }
}
