package holdfast.evaluation;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.model.LinearScores;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Why a model that is linear in its scores predicts what it does for one row. The contribution of a feature to a score is
 * its coefficient times the distance of its value from the training centre (from the scaling's offset), where a value that
 * the scaling cuts off counts as the end it is cut off at. Contributions add up to the score minus the base.
 *
 * @param prediction what is predicted for the row
 * @param values of the features, as the model sees them before scaling
 * @param cutOff which of them the scaling cuts off
 * @param scores in the units of the {@link Coefficients}
 */
public record RowExplanation(Predictions prediction, double[] values, boolean[] cutOff, List<Score> scores) {
    /**
     * One score of the row.
     *
     * @param base the score of a row that the scaling makes 0 everywhere
     */
    public record Score(double value, double base, double[] contributions) {}

    /**
     * Explains a row.
     *
     * @param row unscaled features; one row
     * @throws holdfast.InputException for a model that is not linear in its scores
     */
    public static RowExplanation of(TrainedModel trained, Dataset row) {
        Check.that(row.rows() == 1, "one row must be explained at a time, got %d", row.rows());
        List<Coefficients> coefficients = trained.coefficients();
        Predictions prediction = trained.predict(row);
        LinearScores model = (LinearScores) trained.model();
        double[] values = row.row(0);
        double[] scaled = trained.scaling().apply(row).row(0);
        boolean[] cutOff = new boolean[values.length];
        for (int i = 0; i < cutOff.length; i++) {
            cutOff[i] = trained.scaling().isCutOff(i, values[i]);
        }
        double unit = Coefficients.isLogarithm(model) ? 1 : trained.labels().divisor();
        double[] theta = trained.theta();
        List<Score> scores = IntStream.range(0, coefficients.size())
                .mapToObj(score -> {
                    double[] w = model.weights(theta, values.length, score);
                    double[] contributions = new double[w.length];
                    for (int i = 0; i < w.length; i++) {
                        contributions[i] = w[i] * scaled[i] * unit;
                    }
                    return new Score(
                            Coefficients.restored(
                                    model, trained.labels(), prediction.scores()[score]),
                            coefficients.get(score).base(),
                            contributions);
                })
                .toList();
        return new RowExplanation(prediction, values, cutOff, scores);
    }
}
