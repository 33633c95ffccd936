package holdfast.evaluation;

import holdfast.Check;
import java.util.Arrays;

/**
 * Rows of one source that were scored by a model that has not seen them.
 *
 * @param scores with two classes one per row, larger for the second; with more, one per class, one row after the other
 * @param labels the index of each row's class
 */
public record ScoredSource(double[] scores, double[] labels) {
    public ScoredSource {
        Check.that(
                labels.length > 0
                        && (scores.length == labels.length
                                || scores.length > 2 * labels.length && scores.length % labels.length == 0),
                "a scored source needs a row, and a score per row or one for each of its three or more classes, got %d scores"
                        + " and %d labels",
                scores.length,
                labels.length);
        scores = scores.clone();
        labels = labels.clone();
    }

    int rows() {
        return labels.length;
    }

    int classes() {
        return Math.max(2, scores.length / labels.length);
    }

    /** Returns how many rows are of a class. */
    double count(int label) {
        return Arrays.stream(labels).filter(own -> own == label).count();
    }
}
