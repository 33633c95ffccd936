package holdfast.sources;

import java.util.Arrays;

/** One statistic per source with its sampling variance; NaN if a source has too few values. */
record Statistic(double[] x, double[] v) {
    /** A statistic of fewer values says nothing. */
    private static final int MIN_VALUES = 10;

    static Statistic of(int sources) {
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

    /** Sets the log odds of a share and their variance. */
    void logOdds(int source, double yes, double rows) {
        if (rows >= MIN_VALUES) {
            x[source] = StrictMath.log((yes + 0.5) / (rows - yes + 0.5));
            v[source] = 1 / (yes + 0.5) + 1 / (rows - yes + 0.5);
        }
    }
}
