package holdfast.evaluation;

import holdfast.InputException;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Logistic;
import holdfast.math.Threads;
import holdfast.model.Model;
import holdfast.preparation.LabelScaling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * What a model predicts for rows, computed from their scores.
 *
 * @param threshold with two classes, a row is of the second if its probability is at least this
 * @param calibration how the scores of classes become probabilities
 * @param labels how labels that are numbers were scaled
 * @param scores the scores of all rows, one row after the other
 */
public record Predictions(
        Model model, double threshold, Calibration calibration, LabelScaling labels, double[] scores) {
    /** Reads scores as the model was trained, without a calibration. */
    public Predictions(Model model, double threshold, LabelScaling labels, double[] scores) {
        this(model, threshold, Calibration.NONE, labels, scores);
    }

    /**
     * Scores rows on the current threads.
     *
     * @param rows as the caller has them
     * @param prepare turns them, block by block, into rows as the model learnt from them
     * @throws InputException with the row if a score is not finite: one of its values is too large for the model
     */
    static Predictions of(
            Model model,
            double[] theta,
            double threshold,
            Calibration calibration,
            LabelScaling labels,
            Dataset rows,
            UnaryOperator<Block> prepare) {
        int k = model.scoresPerRow();
        double[] scores = new double[Math.multiplyExact(rows.rows(), k)];
        List<Block> blocks = rows.blocks();
        Threads.here().each(blocks.size(), b -> {
            double[] own = new double[blocks.get(b).rows() * k];
            model.scores(theta, prepare.apply(blocks.get(b)), own);
            System.arraycopy(own, 0, scores, b * rows.blockRows() * k, own.length);
        });
        for (int i = 0; i < scores.length; i++) {
            if (!Double.isFinite(scores[i])) {
                throw notFinite(rows, prepare, i / k, scores[i]);
            }
        }
        return new Predictions(model, threshold, calibration, labels, scores);
    }

    private static InputException notFinite(Dataset rows, UnaryOperator<Block> prepare, int row, double score) {
        double[] values = new double[rows.columns()];
        prepare.apply(rows.blocks().get(row / rows.blockRows())).copyRow(row % rows.blockRows(), values, 0);
        int largest = 0;
        for (int i = 1; i < values.length; i++) {
            // This comparison treats NaN as the largest.
            largest = Double.compare(Math.abs(values[i]), Math.abs(values[largest])) > 0 ? i : largest;
        }
        return new InputException(String.format(
                Locale.ROOT,
                "%s: row %d of the %d given: the score must be finite, got %s; column %s is too large for the model: %.3g in"
                        + " units of the training rows",
                rows.source().name(),
                row + 1,
                rows.rows(),
                score,
                rows.schema().features().get(largest),
                values[largest]));
    }

    public int rows() {
        return scores.length / model.scoresPerRow();
    }

    /** Returns the number of classes; 0 if labels are numbers. */
    public int classes() {
        return model.target().isClass() ? Math.max(2, model.scoresPerRow()) : 0;
    }

    /**
     * Returns the index of the predicted class, or the expected number in its original unit. A calibration of more than two
     * classes does not change the class: the largest score decides, which may not be the largest probability.
     */
    public double label(int row) {
        if (classes() == 0) {
            return labels.restore(model.expected(scores[row]));
        }
        if (classes() == 2) {
            return (hasProbabilities() ? probabilities(row)[1] >= threshold : score(row) >= 0) ? 1 : 0;
        }
        int k = classes();
        int best = 0;
        for (int c = 1; c < k; c++) {
            best = scores[row * k + c] > scores[row * k + best] ? c : best;
        }
        return best;
    }

    /**
     * Returns the score that ranks rows with two classes or with numbers: larger for the second class, or for larger
     * numbers.
     */
    public double score(int row) {
        return model.scoresPerRow() == 1 ? scores[row] : scores[2 * row + 1] - scores[2 * row];
    }

    /** Returns whether the scores give probabilities of classes; a margin does not. */
    public boolean hasProbabilities() {
        return classes() > 0 && model.givesProbabilities();
    }

    /** Returns the probability of each class. */
    public double[] probabilities(int row) {
        if (classes() == 2) {
            double p = calibration.probability(score(row));
            return new double[] {1 - p, p};
        }
        int k = classes();
        double[] p = new double[k];
        Logistic.softmax(calibration.apply(scores, row * k, k), 0, k, p);
        return p;
    }

    /**
     * Returns the logarithm of the probability of each class. It is finite even if the probability itself underflows to
     * 0.
     */
    public double[] logProbabilities(int row) {
        if (classes() == 2) {
            double score = calibration.apply(score(row));
            return new double[] {-Logistic.softplus(score), -Logistic.softplus(-score)};
        }
        int k = classes();
        double[] logs = calibration.apply(scores, row * k, k);
        double most = Arrays.stream(logs).max().orElseThrow();
        double sum = 0;
        for (double score : logs) {
            sum += Logistic.exp(score - most);
        }
        for (int c = 0; c < k; c++) {
            logs[c] = logs[c] - most - StrictMath.log(sum);
        }
        return logs;
    }
}
