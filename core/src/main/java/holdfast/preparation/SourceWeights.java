package holdfast.preparation;

import java.util.Arrays;

/** How much workers count in the objective, relative to each other. */
public enum SourceWeights {
    /** Every worker counts the same, however many rows it has. */
    EQUAL,
    /**
     * A worker whose rows weigh n together, 1 each unless rows have weights, counts by min(n, c), where c is
     * {@value #CAP} times the median n. So many or heavy rows buy no more influence than that, and fewer than half of the
     * workers cannot move c beyond where the others are. If c binds nobody, the objective is the mean over all rows.
     */
    ROWS;

    static final int CAP = 2;

    /**
     * Returns the factor for the weights of each worker's rows; the factors have mean 1.
     *
     * @param totals what the rows of each worker weigh together
     */
    double[] factors(double[] totals) {
        double[] parts = totals.clone();
        if (this == EQUAL) {
            Arrays.fill(parts, 1);
            return parts;
        }
        double cap = CAP * AcrossSources.POOLED.median(parts);
        Arrays.setAll(parts, s -> Math.min(parts[s], cap));
        double mean = Arrays.stream(parts).sum() / parts.length;
        return Arrays.stream(parts).map(part -> part / mean).toArray();
    }
}
