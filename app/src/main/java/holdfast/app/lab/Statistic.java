package holdfast.app.lab;

import java.util.Arrays;

/**
 * A number measured over seeds.
 *
 * @param mean over the seeds
 * @param sd the sample standard deviation, 0 for a single seed
 */
public record Statistic(double mean, double sd) {

    public static Statistic of(double[] values) {
        double mean = Arrays.stream(values).sum() / values.length;
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        return new Statistic(mean, values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1)));
    }
}
