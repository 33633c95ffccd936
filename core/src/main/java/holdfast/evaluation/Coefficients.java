package holdfast.evaluation;

import holdfast.Check;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One score of a model that is linear in its scores, in the units of the table: score = intercept + sum over i of value_i
 * x_i, as long as no x_i is cut off by the scaling. The score of a number is its prediction, that of a count the logarithm
 * of its mean, so that the unit of counts is part of the intercept.
 *
 * @param values per unit of each feature
 * @param steps what one unit of the scaled feature is in the feature's own unit: the divisor of the scaling, such as the
 *     standard deviation; 0 for a feature that was constant and has no effect
 * @param intercept the score of a row of zeros
 * @param base the score of a row that the scaling makes 0 everywhere: for standardised columns, of the training centres
 */
public record Coefficients(double[] values, double[] steps, double intercept, double base) {
    /** Returns the effect of one step of a feature: its value times the step. */
    public double effect(int feature) {
        return values[feature] * steps[feature];
    }

    /**
     * Returns the coefficients of each score. The offsets of the scaling give an intercept even if none was learnt.
     *
     * @throws holdfast.InputException for a model that is not linear in its scores
     */
    public static List<Coefficients> of(Model model, double[] theta, Scaling scaling, LabelScaling labels) {
        Check.that(
                model instanceof LinearScores,
                "only a model linear in its scores has coefficients and intercepts, which explain it, and %s is not",
                model.name());
        LinearScores linear = (LinearScores) model;
        double[] offsets = scaling.offsets();
        double[] divisors = scaling.divisors();
        double unit = isLogarithm(model) ? 1 : labels.divisor();
        return IntStream.range(0, model.scoresPerRow())
                .mapToObj(score -> {
                    double[] w = linear.weights(theta, offsets.length, score);
                    double[] values = new double[w.length];
                    double[] steps = new double[w.length];
                    double base = linear.intercept(theta, offsets.length, score);
                    double sum = base;
                    for (int i = 0; i < w.length; i++) {
                        values[i] = w[i] / divisors[i] * unit;
                        steps[i] = divisors[i] == Double.POSITIVE_INFINITY ? 0 : divisors[i];
                        sum -= w[i] * offsets[i] / divisors[i];
                    }
                    return new Coefficients(values, steps, restored(model, labels, sum), restored(model, labels, base));
                })
                .toList();
    }

    /** Returns a score in the label's unit. */
    static double restored(Model model, LabelScaling labels, double score) {
        return isLogarithm(model) ? score + StrictMath.log(labels.divisor()) : labels.restore(score);
    }

    static boolean isLogarithm(Model model) {
        return model.target() == Target.COUNT;
    }
}
