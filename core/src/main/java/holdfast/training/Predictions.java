package holdfast.training;

import holdfast.data.LabelScaling;
import holdfast.math.Logistic;
import holdfast.model.LinearModel;
import holdfast.model.Model;

/**
 * What a model says of rows, read off their scores.
 *
 * @param threshold of two classes, a row is the second when its probability is at least this
 * @param labels how labels that are numbers were learnt
 * @param scores of all rows, one row after the other
 */
public record Predictions(Model model, double threshold, LabelScaling labels, double[] scores) {

    public int rows() {
        return scores.length / model.scoresPerRow();
    }

    /** How many there are; 0 where labels are numbers. */
    public int classes() {
        return model.target().isClass() ? Math.max(2, model.scoresPerRow()) : 0;
    }

    /** The class by its index, or the number to expect, in its own unit. */
    public double label(int row) {
        if (classes() == 0) {
            return labels.restore(((LinearModel) model).expected(scores[row]));
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

    /** Of two classes or a number: the larger, the more it is the second, or the more there is. */
    public double score(int row) {
        return model.scoresPerRow() == 1 ? scores[row] : scores[2 * row + 1] - scores[2 * row];
    }

    /** Whether the scores of classes are worth probabilities; a margin is not. */
    public boolean hasProbabilities() {
        return classes() > 0 && !(model instanceof LinearModel linear && Double.isNaN(linear.expected(0)));
    }

    /** Of each class. */
    public double[] probabilities(int row) {
        if (classes() == 2) {
            double p = Logistic.sigmoid(score(row));
            return new double[] {1 - p, p};
        }
        double[] p = new double[classes()];
        Logistic.softmax(scores, row * p.length, p.length, p);
        return p;
    }

    /** Of each class; finite also where the probability is not above 0 any more. */
    public double[] logProbabilities(int row) {
        if (classes() == 2) {
            return new double[] {-Logistic.softplus(score(row)), -Logistic.softplus(-score(row))};
        }
        int k = classes();
        int from = row * k;
        double most = scores[from];
        for (int c = 1; c < k; c++) {
            most = Math.max(most, scores[from + c]);
        }
        double sum = 0;
        for (int c = 0; c < k; c++) {
            sum += Logistic.exp(scores[from + c] - most);
        }
        double[] logs = new double[k];
        for (int c = 0; c < k; c++) {
            logs[c] = scores[from + c] - most - StrictMath.log(sum);
        }
        return logs;
    }
}
