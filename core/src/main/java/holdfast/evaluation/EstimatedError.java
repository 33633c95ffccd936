package holdfast.evaluation;

import java.util.Optional;

/**
 * What the error on rows without labels would be if the model's probabilities were right for them: if of all rows with
 * probability p a share p were of that class. Then the expected error is the mean over rows of 1 - p(predicted class). It follows
 * from rows that shift while labels depend on them as before (covariate shift), as far as probabilities are calibrated where
 * the rows are now. If labels depend on rows in another way than in training, it says nothing.
 *
 * @param error expected share misclassified
 * @param share of rows expected to be of the second of two classes; NaN for more classes
 * @param precision expected true positives over predicted ones, for two classes; NaN if none is predicted
 * @param recall expected true positives over expected positives, for two classes
 */
public record EstimatedError(int rows, double error, double share, double precision, double recall) {
    /** Estimates; empty if the model gives no probabilities. */
    public static Optional<EstimatedError> of(Predictions said) {
        if (!said.hasProbabilities()) {
            return Optional.empty();
        }
        double wrong = 0;
        double positive = 0;
        double flagged = 0;
        double found = 0;
        int n = said.rows();
        for (int r = 0; r < n; r++) {
            double[] p = said.probabilities(r);
            int label = (int) said.label(r);
            wrong += 1 - p[label];
            positive += p[1];
            flagged += label == 1 ? 1 : 0;
            found += label == 1 ? p[1] : 0;
        }
        boolean two = said.classes() == 2;
        return Optional.of(new EstimatedError(
                n,
                wrong / n,
                two ? positive / n : Double.NaN,
                two ? found / flagged : Double.NaN,
                two ? found / positive : Double.NaN));
    }
}
