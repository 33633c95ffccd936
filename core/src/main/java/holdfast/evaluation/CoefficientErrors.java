package holdfast.evaluation;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * How far a model's coefficients would differ if the run had other sources or rows: standard errors, in the units of the
 * {@link Coefficients}. A 95 % interval is a coefficient -+ t errors, with Student's t.
 *
 * @param bySource whether sources were resampled, not rows
 * @param resamples how many resamples the errors come from
 * @param degrees of freedom of Student's t
 * @param values for each score, those of the coefficients
 * @param intercepts for each score, that of the intercept
 */
public record CoefficientErrors(
        boolean bySource, int resamples, int degrees, List<double[]> values, double[] intercepts) {
    public CoefficientErrors {
        Check.that(resamples >= 1, "intervals need at least 1 resample, got %d", resamples);
        Check.that(degrees >= 1, "intervals need at least 1 degree of freedom, got %d", degrees);
        Check.that(
                values.size() == intercepts.length,
                "intervals must have an intercept for each score, got %d for %d",
                intercepts.length,
                values.size());
        values = values.stream().map(double[]::clone).toList();
        intercepts = intercepts.clone();
        values.forEach(CoefficientErrors::requireErrors);
        requireErrors(intercepts);
    }

    private static void requireErrors(double[] errors) {
        Check.that(Vectors.finite(errors), "the errors of intervals must be finite");
        for (double error : errors) {
            Check.that(error >= 0, "the errors of intervals must be >= 0, got %s", error);
        }
    }

    /** Returns what was resampled, as users call it. */
    public String resampled() {
        return bySource ? "sources" : "rows";
    }

    /**
     * Returns the interval of a coefficient.
     *
     * @param value the coefficient
     */
    public Interval interval(int score, int feature, double value) {
        return around(value, values.get(score)[feature]);
    }

    /**
     * Returns the interval of an intercept.
     *
     * @param value the intercept
     */
    public Interval interceptInterval(int score, double value) {
        return around(value, intercepts[score]);
    }

    private Interval around(double value, double error) {
        double reach = Interval.student(degrees) * error;
        return new Interval(value - reach, value + reach);
    }
}
