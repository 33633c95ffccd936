package holdfast.evaluation;

import holdfast.data.Dataset;
import holdfast.math.Order;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How well a model does on rows, which may be shifted. Every row counts once, whatever its weight in training, unless the
 * shift changes how frequent the classes are: then the rows of a class count by how much more frequent it becomes.
 *
 * @param shift how the rows were shifted
 * @param metrics the metrics of {@link Metric#of} for the model's labels, NaN if one is undefined
 * @param intervals of the metrics for which there is one: of error, precision, recall and F1 (Wilson; the mean of many
 *     classes' by Zou, Donner and by the delta method), of AUC (DeLong) and PR-AUC (Boyd) of two classes, of log-loss, Brier
 *     score, MAE and deviance (Student) and of the RMSE; see {@link Interval}
 * @param confusion [actual][predicted] numbers of rows, by class, each counted once; empty if labels are numbers
 * @param calibration how well the model's probabilities match the rows; empty if it gives none
 * @param thresholds what other thresholds would do; empty unless the model gives probabilities of two classes
 */
public record Evaluation(
        String shift,
        int rows,
        Map<Metric, Double> metrics,
        Map<Metric, Interval> intervals,
        int[][] confusion,
        List<Bin> calibration,
        List<ThresholdFigure> thresholds) {
    /**
     * The rows with a probability in one tenth of [0, 1]. It is the probability of class 1; with more than two classes,
     * of the predicted class.
     *
     * @param rows how many there are
     * @param probability its mean
     * @param share the share of these rows that are of that class
     */
    public record Bin(int rows, double probability, double share) {}

    /**
     * Evaluates a model.
     *
     * @param data unscaled rows
     */
    public static Evaluation of(TrainedModel trained, Dataset data, Shift shift) {
        Dataset labelled = trained.labels().apply(data);
        return of(trained.shifted(labelled, shift), labelled, shift);
    }

    /**
     * Evaluates a model that prepares nothing.
     *
     * @param scaled rows as the model learnt from them
     */
    public static Evaluation ofScaled(
            Model model, double[] theta, double threshold, LabelScaling labels, Dataset scaled, Shift shift) {
        Scaling scaling = Scaling.none(scaled.columns());
        return of(
                Predictions.of(
                        model,
                        theta,
                        threshold,
                        Calibration.NONE,
                        labels,
                        scaled,
                        block -> shift.apply(model, theta, shift.measured(Encoding.NONE, scaling, block))),
                scaled,
                shift);
    }

    private static Evaluation of(Predictions said, Dataset labelled, Shift shift) {
        double[] truth = each(labelled.rows(), labelled::label);
        return said.model().target().isClass()
                ? ClassEvaluation.of(said, truth, shift)
                : numbers(said, Arrays.stream(truth).map(said.labels()::restore).toArray(), shift.name(said.model()));
    }

    /** Returns the share misclassified. */
    public double error() {
        return get(Metric.ERROR);
    }

    public double logLoss() {
        return get(Metric.LOG_LOSS);
    }

    public double auc() {
        return get(Metric.AUC);
    }

    /** Returns the value of a metric; NaN if the metric does not fit the labels. */
    public double get(Metric metric) {
        return metrics.getOrDefault(metric, Double.NaN);
    }

    /** Returns the metric by which models for these labels are compared; less is better. */
    public Metric headlineMetric() {
        return metrics.keySet().iterator().next();
    }

    /** Returns the value of the metric by which models for these labels are compared. */
    public double headline() {
        return get(headlineMetric());
    }

    /** Returns the interval of a metric; empty if there is none for it. */
    public Optional<Interval> interval(Metric metric) {
        return Optional.ofNullable(intervals.get(metric));
    }

    @Override
    public String toString() {
        return metrics.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", ", "Evaluation[shift=" + shift + ", rows=" + rows + ", ", "]"));
    }

    static double[] each(int n, IntToDoubleFunction of) {
        return IntStream.range(0, n).mapToDouble(of).toArray();
    }

    private static Evaluation numbers(Predictions said, double[] truth, String shift) {
        int n = truth.length;
        double[] gaps = each(n, j -> said.label(j) - truth[j]);
        double squares = Vectors.dot(gaps, gaps, n);
        double rmse = Math.sqrt(squares / n);
        double mae = Arrays.stream(gaps).map(Math::abs).sum() / n;
        Target target = said.model().target();
        Map<Metric, Interval> intervals = new EnumMap<>(Metric.class);
        intervals.put(Metric.RMSE, Interval.ofRootMeanSquare(gaps));
        intervals.put(
                Metric.MAE, Interval.ofMean(Arrays.stream(gaps).map(Math::abs).toArray()));
        Map<Metric, Double> metrics;
        if (target == Target.COUNT) {
            double[] deviances = deviances(
                    truth, j -> said.score(j) + StrictMath.log(said.labels().divisor()), gaps);
            intervals.put(Metric.DEVIANCE, Interval.ofMean(deviances));
            metrics = metrics(target, Arrays.stream(deviances).sum() / n, rmse, mae);
        } else {
            metrics = metrics(target, rmse, mae, explained(squares, truth));
        }
        return new Evaluation(shift, n, metrics, intervals, new int[0][], List.of(), List.of());
    }

    private static double explained(double squares, double[] truth) {
        double spread = squaredSpread(truth);
        return spread > 0 ? 1 - squares / spread : Double.NaN;
    }

    private static double squaredSpread(double[] y) {
        double mean = mean(y);
        double[] gaps = Arrays.stream(y).map(v -> v - mean).toArray();
        return Vectors.dot(gaps, gaps, y.length);
    }

    private static double mean(double[] y) {
        return Vectors.sum(y, y.length) / y.length;
    }

    /**
     * Returns the deviance of each row.
     *
     * @param logMean the score of each row, so that a mean that underflows to 0 does no harm
     */
    private static double[] deviances(double[] y, IntToDoubleFunction logMean, double[] gaps) {
        return each(
                y.length,
                j -> 2 * ((y[j] == 0 ? 0 : y[j] * (StrictMath.log(y[j]) - logMean.applyAsDouble(j))) + gaps[j]));
    }

    static Map<Metric, Double> metrics(Target target, double... values) {
        Map<Metric, Double> out = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            out.put(Metric.of(target).get(i), values[i]);
        }
        return Collections.unmodifiableMap(out);
    }

    /**
     * Returns for each row the number whose mean is the headline metric, or for the RMSE its square: 1 if the row is
     * misclassified, the squared difference from the label, or the deviance.
     *
     * @param scaled rows as the model learnt from them
     */
    public static double[] headlineLosses(Model model, double[] theta, LabelScaling labels, Dataset scaled) {
        Predictions said = Predictions.of(model, theta, 0.5, Calibration.NONE, labels, scaled, block -> block);
        int n = scaled.rows();
        if (model.target().isClass()) {
            return each(n, j -> said.label(j) == scaled.label(j) ? 0 : 1);
        }
        double[] truth = each(n, j -> labels.restore(scaled.label(j)));
        double[] gaps = each(n, j -> said.label(j) - truth[j]);
        return model.target() == Target.COUNT
                ? deviances(truth, j -> said.score(j) + StrictMath.log(labels.divisor()), gaps)
                : each(n, j -> gaps[j] * gaps[j]);
    }

    /**
     * Returns the headline metric on these rows of a guess that uses no feature: always their most frequent class,
     * their mean label, or their mean count.
     */
    public static double guessing(Dataset rows, Target target) {
        int n = rows.rows();
        double[] y = each(n, rows::label);
        if (target.isClass()) {
            int[] counts = new int[rows.schema().classes().size()];
            Arrays.stream(y).forEach(c -> counts[(int) c]++);
            return (double) (n - Arrays.stream(counts).max().orElseThrow()) / n;
        }
        double mean = mean(y);
        return target == Target.NUMBER
                ? Math.sqrt(squaredSpread(y) / n)
                : Arrays.stream(deviances(y, j -> StrictMath.log(mean), each(n, j -> mean - y[j])))
                                .sum()
                        / n;
    }

    /** Computes the AUC from ranks (Mann, Whitney). */
    public static double auc(double[] scores, double[] labels) {
        double positives = Arrays.stream(labels).sum();
        double pairs = positives * (labels.length - positives);
        double ranks = Vectors.dot(ranks(scores), labels, labels.length);
        return pairs == 0 ? Double.NaN : (ranks - positives * (positives + 1) / 2) / pairs;
    }

    /** Returns ranks from 1; ties share their mean rank. */
    public static double[] ranks(double[] scores) {
        int n = scores.length;
        int[] order = Order.ascending(scores);
        double[] ranks = new double[n];
        for (int from = 0; from < n; ) {
            int to = from + 1;
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
