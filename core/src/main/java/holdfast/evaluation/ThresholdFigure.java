package holdfast.evaluation;

import java.util.ArrayList;
import java.util.List;

/**
 * What a threshold on the probability of the second of two classes does.
 *
 * @param threshold rows with at least this probability are flagged, which is to say predicted as the second class
 * @param used whether it is the model's own
 * @param precision of the flagged rows, the share that are of the second class; NaN if none is flagged
 * @param recall of the rows of the second class, the share that are flagged; NaN if there are none
 * @param f1 the harmonic mean of both
 * @param flagged the share of rows that are flagged
 */
public record ThresholdFigure(
        double threshold, boolean used, double precision, double recall, double f1, double flagged) {
    private static final int[] PERCENT = {1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95};

    /**
     * Returns one line per threshold, ascending, the model's own among them.
     *
     * @param probabilities of the second class
     * @param labels 0 or 1
     * @param weights how much a row of each class counts
     */
    static List<ThresholdFigure> table(double[] probabilities, double[] labels, double[] weights, double own) {
        List<ThresholdFigure> lines = new ArrayList<>();
        boolean shown = false;
        for (int percent : PERCENT) {
            double threshold = percent / 100.0;
            if (!shown && own <= threshold) {
                lines.add(at(own, true, probabilities, labels, weights));
                shown = true;
            }
            if (own != threshold) {
                lines.add(at(threshold, false, probabilities, labels, weights));
            }
        }
        if (!shown) {
            lines.add(at(own, true, probabilities, labels, weights));
        }
        return List.copyOf(lines);
    }

    private static ThresholdFigure at(
            double threshold, boolean used, double[] probabilities, double[] labels, double[] weights) {
        int[][] confusion = new int[2][2];
        for (int j = 0; j < labels.length; j++) {
            confusion[(int) labels[j]][probabilities[j] >= threshold ? 1 : 0]++;
        }
        Detection made = Detection.of(confusion, 1, weights);
        double others = weights[0] * (confusion[0][0] + confusion[0][1]);
        return new ThresholdFigure(
                threshold,
                used,
                made.precision(),
                made.recall(),
                made.f1(),
                (made.found() + made.alarms()) / (made.found() + made.missed() + others));
    }
}
