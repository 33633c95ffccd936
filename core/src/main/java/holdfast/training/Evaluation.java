package holdfast.training;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.LabelScaling;
import holdfast.math.Logistic;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.shift.Shift;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How a model does on rows, perhaps shifted.
 *
 * @param shift what happened to the rows
 * @param metrics those of {@link Metric#of} the model's labels, NaN where they cannot be said
 * @param confusion [actual][predicted] numbers of rows, by class; empty where labels are numbers
 * @param calibration what the model's probabilities are worth; empty where it gives none
 */
public record Evaluation(
        String shift, int rows, Map<Metric, Double> metrics, int[][] confusion, List<Bin> calibration) {
    private static final int BINS = 10;

    /**
     * Rows whose probability lies in one tenth of [0, 1]: of class 1, or of many classes that of the class predicted.
     *
     * @param probability its mean
     * @param share how many of the rows are of that class
     */
    public record Bin(int rows, double probability, double share) {}

    /** @param data unscaled rows */
    public static Evaluation of(TrainedModel trained, Dataset data, Shift shift) {
        return ofScaled(
                trained.model(),
                trained.theta(),
                trained.threshold(),
                trained.labels(),
                trained.labels().apply(trained.scaling().apply(data)),
                shift);
    }

    public static Evaluation ofScaled(
            Model model, double[] theta, double threshold, LabelScaling labels, Dataset scaled, Shift shift) {
        int n = scaled.rows();
        int k = model.scoresPerRow();
        double[] scores = new double[n * k];
        double[] truth = new double[n];
        int done = 0;
        for (Block rows : scaled.blocks()) {
            double[] block = new double[rows.rows() * k];
            model.scores(theta, shift.apply(model, theta, rows), block);
            System.arraycopy(block, 0, scores, done * k, block.length);
            System.arraycopy(rows.labels(), 0, truth, done, rows.rows());
            done += rows.rows();
        }
        Target target = model.target();
        if (target.isClass()) {
            return k == 1
                    ? twoClasses((LinearModel) model, scores, truth, threshold, shift.name())
                    : classes(k, scores, truth, shift.name());
        }
        return numbers((LinearModel) model, scores, truth, labels, shift.name());
    }

    /** Share misclassified. */
    public double error() {
        return get(Metric.ERROR);
    }

    public double logLoss() {
        return get(Metric.LOG_LOSS);
    }

    public double auc() {
        return get(Metric.AUC);
    }

    /** NaN where the metric does not fit the labels. */
    public double get(Metric metric) {
        return metrics.getOrDefault(metric, Double.NaN);
    }

    /** The metric by which models for these labels are compared; less is better. */
    public double headline() {
        return metrics.values().iterator().next();
    }

    private static Evaluation twoClasses(
            LinearModel model, double[] scores, double[] truth, double threshold, String shift) {
        int n = scores.length;
        boolean probable = !Double.isNaN(model.expected(0));
        double[] p = new double[n];
        int[][] confusion = new int[2][2];
        double loss = 0;
        for (int j = 0; j < n; j++) {
            p[j] = model.expected(scores[j]);
            boolean positive = probable ? p[j] >= threshold : scores[j] >= 0;
            confusion[(int) truth[j]][positive ? 1 : 0]++;
            loss += Logistic.softplus(truth[j] == 1 ? -scores[j] : scores[j]);
        }
        List<Bin> bins = probable ? bins(p, truth) : List.of();
        return ofClasses(shift, confusion, probable ? loss / n : Double.NaN, auc(scores, truth), bins);
    }

    private static Evaluation classes(int k, double[] scores, double[] truth, String shift) {
        int n = truth.length;
        int[][] confusion = new int[k][k];
        double[] p = new double[k];
        double[] confidence = new double[n];
        double[] right = new double[n];
        double loss = 0;
        for (int j = 0; j < n; j++) {
            Logistic.softmax(scores, j * k, k, p);
            int best = 0;
            for (int c = 1; c < k; c++) {
                best = scores[j * k + c] > scores[j * k + best] ? c : best;
            }
            int actual = (int) truth[j];
            confusion[actual][best]++;
            confidence[j] = p[best];
            right[j] = best == actual ? 1 : 0;
            loss += lead(scores, j, k, best) - scores[j * k + actual];
        }
        double auc = 0;
        for (int c = 0; c < k; c++) {
            int own = c;
            auc += auc(
                            IntStream.range(0, n)
                                    .mapToDouble(j -> scores[j * k + own])
                                    .toArray(),
                            Arrays.stream(truth).map(y -> y == own ? 1 : 0).toArray())
                    / k;
        }
        return ofClasses(shift, confusion, loss / n, auc, bins(confidence, right));
    }

    /** log sum over c of e^u_c, u the scores of row j, of which {@code best} is the largest. */
    private static double lead(double[] scores, int j, int k, int best) {
        double most = scores[j * k + best];
        double sum = 0;
        for (int c = 0; c < k; c++) {
            sum += Logistic.exp(scores[j * k + c] - most);
        }
        return most + StrictMath.log(sum);
    }

    private static Evaluation ofClasses(
            String shift, int[][] confusion, double logLoss, double auc, List<Bin> calibration) {
        int rows = Arrays.stream(confusion).flatMapToInt(Arrays::stream).sum();
        int right =
                IntStream.range(0, confusion.length).map(c -> confusion[c][c]).sum();
        double gap = calibration.stream()
                .mapToDouble(b -> b.rows * Math.abs(b.probability - b.share) / rows)
                .sum();
        return new Evaluation(
                shift,
                rows,
                metrics(
                        Target.CLASSES,
                        (double) (rows - right) / rows,
                        logLoss,
                        auc,
                        calibration.isEmpty() ? Double.NaN : gap),
                confusion,
                calibration);
    }

    private static Evaluation numbers(
            LinearModel model, double[] scores, double[] truth, LabelScaling labels, String shift) {
        int n = truth.length;
        double[] y = Arrays.stream(truth).map(labels::restore).toArray();
        double mean = Vectors.sum(y, n) / n;
        double squares = 0;
        double spread = 0;
        double absolute = 0;
        double deviance = 0;
        for (int j = 0; j < n; j++) {
            double expected = labels.restore(model.expected(scores[j]));
            double gap = expected - y[j];
            squares += gap * gap;
            absolute += Math.abs(gap);
            spread += (y[j] - mean) * (y[j] - mean);
            deviance += 2 * ((y[j] == 0 ? 0 : y[j] * (StrictMath.log(y[j]) - scores[j])) + gap);
        }
        double rmse = Math.sqrt(squares / n);
        double mae = absolute / n;
        return new Evaluation(
                shift,
                n,
                model.target() == Target.COUNT
                        ? metrics(Target.COUNT, deviance / n, rmse, mae)
                        : metrics(Target.NUMBER, rmse, mae, spread > 0 ? 1 - squares / spread : Double.NaN),
                new int[0][],
                List.of());
    }

    private static Map<Metric, Double> metrics(Target target, double... values) {
        Map<Metric, Double> out = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            out.put(Metric.of(target).get(i), values[i]);
        }
        return Collections.unmodifiableMap(out);
    }

    /** The tenths that hold rows. */
    private static List<Bin> bins(double[] p, double[] hit) {
        int[] count = new int[BINS];
        double[] sum = new double[BINS];
        double[] hits = new double[BINS];
        for (int j = 0; j < p.length; j++) {
            int b = Math.min(BINS - 1, (int) (p[j] * BINS));
            count[b]++;
            sum[b] += p[j];
            hits[b] += hit[j];
        }
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < BINS; b++) {
            if (count[b] > 0) {
                bins.add(new Bin(count[b], sum[b] / count[b], hits[b] / count[b]));
            }
        }
        return bins;
    }

    /**
     * The headline metric on these rows of knowing no feature: always saying the most frequent class, the mean label, or
     * the mean count.
     */
    public static double guessing(Dataset rows, Target target) {
        int n = rows.rows();
        double[] y = IntStream.range(0, n).mapToDouble(rows::label).toArray();
        if (target.isClass()) {
            int[] counts = new int[rows.schema().classes().size()];
            Arrays.stream(y).forEach(c -> counts[(int) c]++);
            return (double) (n - Arrays.stream(counts).max().orElseThrow()) / n;
        }
        double mean = Vectors.sum(y, n) / n;
        return target == Target.NUMBER
                ? Math.sqrt(Arrays.stream(y).map(v -> (v - mean) * (v - mean)).sum() / n)
                : Arrays.stream(y)
                                .map(v -> 2 * (v == 0 ? 0 : v * StrictMath.log(v / mean)) - 2 * (v - mean))
                                .sum()
                        / n;
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
