package holdfast.data;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Labels that are numbers are learnt as (y - offset) / divisor, the mean and the standard deviation of the training rows:
 * so lambda, which has the unit of a squared label, means the same whether prices are in cents or in millions.
 */
public record LabelScaling(double offset, double divisor) {
    /** Labels as they are. */
    public static final LabelScaling NONE = new LabelScaling(0, 1);

    public LabelScaling {
        Check.that(
                Double.isFinite(offset) && divisor > 0 && Double.isFinite(divisor),
                "label scaling needs a finite offset and a finite divisor > 0, got %s and %s",
                offset,
                divisor);
    }

    public static LabelScaling fit(Dataset training) {
        int n = training.rows();
        double[] y = new double[n];
        Arrays.setAll(y, training::label);
        double mean = Vectors.sum(y, n) / n;
        double[] gaps = Arrays.stream(y).map(v -> v - mean).toArray();
        double sd = Math.sqrt(Vectors.dot(gaps, gaps, n) / n);
        return new LabelScaling(mean, sd > 0 ? sd : 1);
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
