package holdfast.evaluation;

import static holdfast.evaluation.Evaluation.each;

import holdfast.evaluation.Evaluation.Bin;
import holdfast.math.Order;
import holdfast.model.Target;
import holdfast.shift.Shift;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Compares predicted classes and their probabilities with labels. */
final class ClassEvaluation {
    private static final int BINS = 10;

    private ClassEvaluation() {}

    static Evaluation of(Predictions said, double[] truth, Shift shift) {
        int n = truth.length;
        int k = said.classes();
        int[][] confusion = new int[k][k];
        int wrong = 0;
        for (int j = 0; j < n; j++) {
            int answer = (int) said.label(j);
            confusion[(int) truth[j]][answer]++;
            wrong += answer == truth[j] ? 0 : 1;
        }
        ClassMix mix = ClassMix.of(truth, k, shift);
        Tenths tenths = said.hasProbabilities() ? Tenths.of(said, truth, mix) : null;
        Map<Metric, Double> metrics = new EnumMap<>(Metric.class);
        Map<Metric, Interval> intervals = new EnumMap<>(Metric.class);
        double[] misses = each(n, j -> said.label(j) == truth[j] ? 0 : 1);
        metrics.put(Metric.ERROR, mix.changed() ? mix.mean(misses) : (double) wrong / n);
        intervals.put(
                Metric.ERROR,
                mix.changed()
                        ? mix.interval(
                                misses,
                                own -> Interval.ofShare((int) Arrays.stream(own).sum(), own.length))
                        : Interval.ofShare(wrong, n));
        if (said.hasProbabilities()) {
            mean(Metric.LOG_LOSS, each(n, j -> -said.logProbabilities(j)[(int) truth[j]]), mix, metrics, intervals);
            mean(
                    Metric.BRIER,
                    each(n, j -> squaredGap(said.probabilities(j), (int) truth[j])),
                    mix,
                    metrics,
                    intervals);
            metrics.put(Metric.CALIBRATION_ERROR, tenths.gap(n));
        }
        // With two classes their frequencies do not matter: the AUC compares rows of one with rows of the other.
        double[] ranked = k == 2 ? each(n, said::score) : new double[0];
        double auc = k == 2 ? Evaluation.auc(ranked, truth) : mix.changed() ? mix.meanAuc(said) : meanAuc(said, truth);
        metrics.put(Metric.AUC, auc);
        if (k == 2 && !Double.isNaN(auc)) {
            intervals.put(Metric.AUC, Interval.ofAuc(ranked, truth));
        }
        if (k == 2) {
            detection(confusion, mix, metrics, intervals);
            double precision = averagePrecision(ranked, truth, j -> mix.weight((int) truth[j]));
            metrics.put(Metric.PR_AUC, precision);
            if (!Double.isNaN(precision)) {
                intervals.put(Metric.PR_AUC, Interval.ofAveragePrecision(precision, confusion[1][0] + confusion[1][1]));
            }
        } else {
            meanDetection(confusion, mix, metrics, intervals);
            metrics.put(Metric.PR_AUC, meanAveragePrecision(said, truth, mix));
        }
        return new Evaluation(
                shift.name(said.model()),
                n,
                inOrder(said.model().target(), metrics),
                intervals,
                confusion,
                tenths == null ? List.of() : tenths.bins(),
                k == 2 && said.hasProbabilities()
                        ? ThresholdFigure.table(
                                each(n, j -> said.probabilities(j)[1]), truth, mix.weights(), said.threshold())
                        : List.of());
    }

    private static void mean(
            Metric metric,
            double[] values,
            ClassMix mix,
            Map<Metric, Double> metrics,
            Map<Metric, Interval> intervals) {
        metrics.put(
                metric, mix.changed() ? mix.mean(values) : Arrays.stream(values).sum() / values.length);
        intervals.put(metric, mix.changed() ? mix.interval(values, Interval::ofMean) : Interval.ofMean(values));
    }

    /** Returns the squared distance of probabilities from the class that it is; with two classes that of one of them. */
    private static double squaredGap(double[] probabilities, int truth) {
        if (probabilities.length == 2) {
            return probabilities[1 - truth] * probabilities[1 - truth];
        }
        double sum = 0;
        for (int c = 0; c < probabilities.length; c++) {
            double gap = probabilities[c] - (c == truth ? 1 : 0);
            sum += gap * gap;
        }
        return sum;
    }

    /** Adds how well the second of two classes is found. */
    private static void detection(
            int[][] confusion, ClassMix mix, Map<Metric, Double> metrics, Map<Metric, Interval> intervals) {
        Detection made = Detection.of(confusion, 1, mix.weights());
        metrics.put(Metric.PRECISION, made.precision());
        metrics.put(Metric.RECALL, made.recall());
        metrics.put(Metric.F1, made.f1());
        int found = confusion[1][1];
        int alarms = confusion[0][1];
        int ones = found + confusion[1][0];
        int zeros = alarms + confusion[0][0];
        if (ones > 0) {
            intervals.put(Metric.RECALL, Interval.ofShare(found, ones));
        }
        if (!mix.changed()) {
            if (found + alarms > 0) {
                intervals.put(Metric.PRECISION, Interval.ofShare(found, found + alarms));
            }
            if (ones + alarms > 0) {
                intervals.put(Metric.F1, Interval.ofF1(found, ones - found + alarms));
            }
        } else if (found + alarms > 0 && ones > 0 && zeros > 0) {
            double share = mix.after()[1];
            Interval recall = Interval.ofShare(found, ones);
            Interval fallOut = Interval.ofShare(alarms, zeros);
            double x = (double) found / ones;
            double y = (double) alarms / zeros;
            intervals.put(
                    Metric.PRECISION,
                    Interval.ofShare((r, q) -> share * r / (share * r + (1 - share) * q), x, recall, y, fallOut));
            intervals.put(
                    Metric.F1,
                    Interval.ofShare(
                            (r, q) -> 2 * share * r / (share * r + (1 - share) * q + share), x, recall, y, fallOut));
        }
    }

    /** Adds how well each class is found, on average. */
    private static void meanDetection(
            int[][] confusion, ClassMix mix, Map<Metric, Double> metrics, Map<Metric, Interval> intervals) {
        int[] classes = Detection.occurring(confusion);
        List<Detection> each = Arrays.stream(classes)
                .mapToObj(c -> Detection.of(confusion, c, mix.weights()))
                .toList();
        metrics.put(Metric.PRECISION, meanOrZero(each, Detection::precision));
        metrics.put(Metric.RECALL, meanOrZero(each, Detection::recall));
        metrics.put(Metric.F1, meanOrZero(each, Detection::f1));
        intervals.put(Metric.RECALL, Detection.ofMeanRecall(confusion, classes));
        if (!mix.changed()) {
            intervals.put(Metric.PRECISION, Detection.ofMeanPrecision(confusion, classes));
            Detection.ofMeanF1(confusion, classes).ifPresent(interval -> intervals.put(Metric.F1, interval));
        }
    }

    private static double meanOrZero(List<Detection> each, ToDoubleFunction<Detection> figure) {
        return each.stream()
                        .mapToDouble(figure)
                        .map(value -> Double.isNaN(value) ? 0 : value)
                        .sum()
                / each.size();
    }

    private static double meanAveragePrecision(Predictions said, double[] truth, ClassMix mix) {
        int n = truth.length;
        double[][] logs = IntStream.range(0, n).mapToObj(said::logProbabilities).toArray(double[][]::new);
        return IntStream.range(0, said.classes())
                .mapToDouble(c -> averagePrecision(
                        each(n, j -> logs[j][c]), each(n, j -> truth[j] == c ? 1 : 0), j -> mix.weight((int) truth[j])))
                .average()
                .orElseThrow();
    }

    /**
     * Returns the average precision: over the distinct scores from the highest down, the sum of the precision among the rows
     * that score as high or higher, times the share of the rows of class 1 with that score. NaN if a class is missing.
     *
     * @param labels 0 or 1
     * @param weight how much each row counts
     */
    static double averagePrecision(double[] scores, double[] labels, IntToDoubleFunction weight) {
        int n = scores.length;
        int[] order = Order.ascending(Arrays.stream(scores).map(score -> -score).toArray());
        double flagged = 0;
        double found = 0;
        double sum = 0;
        for (int from = 0; from < n; ) {
            double before = found;
            int to = from;
            do {
                flagged += weight.applyAsDouble(order[to]);
                found += labels[order[to]] * weight.applyAsDouble(order[to]);
                to++;
            } while (to < n && scores[order[to]] == scores[order[from]]);
            sum += flagged == 0 ? 0 : (found - before) * found / flagged;
            from = to;
        }
        return found == 0 || found == flagged ? Double.NaN : sum / found;
    }

    /** Uses probabilities, not scores: the scores of different rows have no common zero. */
    private static double meanAuc(Predictions said, double[] truth) {
        int n = truth.length;
        double[][] logs = IntStream.range(0, n).mapToObj(said::logProbabilities).toArray(double[][]::new);
        return IntStream.range(0, said.classes())
                .mapToDouble(c -> Evaluation.auc(each(n, j -> logs[j][c]), each(n, j -> truth[j] == c ? 1 : 0)))
                .average()
                .orElseThrow();
    }

    /** Returns the metrics of a kind of label in their order, NaN where there is none. */
    private static Map<Metric, Double> inOrder(Target target, Map<Metric, Double> known) {
        return Evaluation.metrics(
                target,
                Metric.of(target).stream()
                        .mapToDouble(metric -> known.getOrDefault(metric, Double.NaN))
                        .toArray());
    }

    /**
     * The rows by tenths of the probability.
     *
     * @param weight how much the rows of each tenth count
     * @param sum of the probabilities, as the rows count
     * @param right how much the rows count of which it is the class
     */
    private record Tenths(int[] rows, double[] weight, double[] sum, double[] right) {
        static Tenths of(Predictions said, double[] truth, ClassMix mix) {
            Tenths tenths = new Tenths(new int[BINS], new double[BINS], new double[BINS], new double[BINS]);
            for (int j = 0; j < truth.length; j++) {
                int asked = said.classes() == 2 ? 1 : (int) said.label(j);
                double p = said.probabilities(j)[asked];
                double weight = mix.weight((int) truth[j]);
                int b = Math.min(BINS - 1, (int) (p * BINS));
                tenths.rows[b]++;
                tenths.weight[b] += weight;
                tenths.sum[b] += weight * p;
                tenths.right[b] += truth[j] == asked ? weight : 0;
            }
            return tenths;
        }

        /** Returns the tenths that contain rows. */
        List<Bin> bins() {
            return filled().mapToObj(b -> new Bin(rows[b], sum[b] / weight[b], right[b] / weight[b]))
                    .toList();
        }

        double gap(int n) {
            return filled().mapToDouble(b -> weight[b] * Math.abs(sum[b] / weight[b] - right[b] / weight[b]) / n)
                    .sum();
        }

        private IntStream filled() {
            return IntStream.range(0, BINS).filter(b -> rows[b] > 0);
        }
    }
}
