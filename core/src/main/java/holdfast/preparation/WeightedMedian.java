package holdfast.preparation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The middle of values as if each were there as often as its weight says: the value below and above which at most half of
 * the weights are, or the mean of the two in the middle.
 */
final class WeightedMedian {
    /** Sums of weights that differ by less, relative to half of all weights, are equal but for rounding. */
    private static final double ROUNDING = 1e-12;

    private WeightedMedian() {}

    /**
     * Returns the median; NaN if there is no value.
     *
     * @param weights empty if all are 1
     */
    static double of(double[] values, double[] weights) {
        int n = values.length;
        if (n == 0) {
            return Double.NaN;
        }
        if (weights.length == 0) {
            double[] sorted = Arrays.stream(values).sorted().toArray();
            return sorted[(n - 1) / 2] / 2 + sorted[n / 2] / 2;
        }
        int[] order = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double half = Arrays.stream(weights).sum() / 2;
        double below = 0;
        double lower = Double.NaN;
        for (int i : order) {
            below += weights[i];
            if (Double.isNaN(lower) && below >= half * (1 - ROUNDING)) {
                lower = values[i];
            }
            if (below > half * (1 + ROUNDING)) {
                return lower == values[i] ? lower : lower / 2 + values[i] / 2;
            }
        }
        return lower;
    }
}
