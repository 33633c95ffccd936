package holdfast.training;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Logistic;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.shift.Shift;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How a model does on rows, perhaps shifted.
 *
 * @param shift what happened to the rows
 * @param error share misclassified
 * @param logLoss mean cross-entropy
 * @param auc probability that a row of class 1 scores above one of class 0, ties half; NaN if a class is missing
 */
public record Evaluation(String shift, int rows, double error, double logLoss, double auc) {

    /** @param data unscaled rows */
    public static Evaluation of(TrainedModel trained, Dataset data, Shift shift) {
        return ofScaled(
                trained.model(),
                trained.theta(),
                trained.threshold(),
                trained.scaling().apply(data),
                shift);
    }

    public static Evaluation ofScaled(
            LinearModel model, double[] theta, double threshold, Dataset scaled, Shift shift) {
        double[] scores = new double[scaled.rows()];
        double[] labels = new double[scaled.rows()];
        double[] block = new double[Dataset.BLOCK_ROWS];
        int wrong = 0;
        double loss = 0;
        int done = 0;
        for (Block rows : scaled.blocks()) {
            model.scores(theta, shift.apply(model, theta, rows), block);
            for (int j = 0; j < rows.rows(); j++, done++) {
                scores[done] = block[j];
                labels[done] = rows.labels()[j];
                boolean positive = model.probability(block[j]) >= threshold;
                wrong += positive == (labels[done] == 1) ? 0 : 1;
                loss += Logistic.softplus(labels[done] == 1 ? -block[j] : block[j]);
            }
        }
        return new Evaluation(shift.name(), done, (double) wrong / done, loss / done, auc(scores, labels));
    }

    /** The error on these rows of always saying the class that is more frequent among them. */
    public static double guessing(Dataset rows) {
        double ones = IntStream.range(0, rows.rows()).mapToDouble(rows::label).sum();
        return Math.min(ones, rows.rows() - ones) / rows.rows();
    }

    /** By ranks (Mann, Whitney). */
    static double auc(double[] scores, double[] labels) {
        double positives = Arrays.stream(labels).sum();
        double pairs = positives * (labels.length - positives);
        double ranks = Vectors.dot(ranks(scores), labels, labels.length);
        return pairs == 0 ? Double.NaN : (ranks - positives * (positives + 1) / 2) / pairs;
    }

    /** Ranks from 1; ties share their mean rank. */
    static double[] ranks(double[] scores) {
        int n = scores.length;
        int[] order = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] ranks = new double[n];
        for (int from = 0; from < n; ) {
            int to = from;
            while (to < n && scores[order[to]] == scores[order[from]]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                ranks[order[i]] = (from + 1 + to) / 2.0;
            }
            from = to;
        }
        return ranks;
    }
}
