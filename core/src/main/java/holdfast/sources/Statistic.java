package holdfast.sources;

import holdfast.preparation.AcrossSources;
import java.util.Arrays;

/** One statistic per source with its sampling variance; NaN if a source has too few values. */
record Statistic(double[] x, double[] v) {
    /** A statistic of fewer values says nothing. */
    private static final int MIN_VALUES = 10;

    /** Returns a statistic that is known of no source yet. */
    static Statistic unknown(int sources) {
        double[] unknown = new double[sources];
        Arrays.fill(unknown, Double.NaN);
        return new Statistic(unknown, unknown.clone());
    }

    /** Sets the mean of values and its variance. */
    void mean(int source, double[] values) {
        if (values.length >= MIN_VALUES) {
            double mean = Arrays.stream(values).sum() / values.length;
            double squares =
                    Arrays.stream(values).map(y -> (y - mean) * (y - mean)).sum();
            x[source] = mean;
            v[source] = squares / (values.length - 1) / values.length;
        }
    }

    /**
     * Returns the log odds of shares, each with the variance that its own share says.
     *
     * @param yes how many rows of each source count
     * @param rows how many it has
     */
    static Statistic ofShares(double[] yes, double[] rows) {
        Statistic odds = unknown(rows.length);
        for (int s = 0; s < rows.length; s++) {
            if (rows[s] >= MIN_VALUES) {
                odds.x[s] = StrictMath.log((yes[s] + 0.5) / (rows[s] - yes[s] + 0.5));
                odds.v[s] = 1 / (yes[s] + 0.5) + 1 / (rows[s] - yes[s] + 0.5);
            }
        }
        return odds;
    }

    /**
     * Returns the variances that log odds have in sources whose share is like the others', their median, if that is less
     * than their own share says. The latter grows without bound as a share approaches 0 or 1, which would hide the most
     * extreme sources (Hauck, Donner 1977).
     */
    static double[] likeOthers(Statistic odds, double[] yes, double[] rows) {
        double[] shares = new double[rows.length];
        Arrays.setAll(shares, s -> rows[s] >= MIN_VALUES ? yes[s] / rows[s] : Double.NaN);
        double typical = AcrossSources.POOLED.median(shares);
        double[] judged = new double[rows.length];
        Arrays.setAll(judged, s -> {
            double p = Math.max(1 / rows[s], Math.min(1 - 1 / rows[s], typical));
            return Math.min(odds.v[s], 1 / (rows[s] * p * (1 - p)));
        });
        return judged;
    }
}
