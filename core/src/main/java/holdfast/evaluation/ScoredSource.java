package holdfast.evaluation;

import holdfast.Check;

/**
 * Rows of one source that were scored by a model that has not seen them, with two classes.
 *
 * @param scores larger for the second class
 * @param labels 0 or 1
 */
public record ScoredSource(double[] scores, double[] labels) {
    public ScoredSource {
        Check.that(
                scores.length == labels.length && scores.length > 0,
                "a scored source needs one label per score and a row, got %d scores and %d labels",
                scores.length,
                labels.length);
        scores = scores.clone();
        labels = labels.clone();
    }

    int rows() {
        return labels.length;
    }

    /** Returns how many rows are of the second class. */
    double positives() {
        double sum = 0;
        for (double label : labels) {
            sum += label;
        }
        return sum;
    }
}
