package holdfast.certificate;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a certificate needs to know about labelled rows: their scores, learnt labels and shares, ordered by source.
 *
 * @param order the index of each row in the data
 * @param starts where each source begins, and the number of rows at the end
 * @param shares the weight of each row, as a share of its source's
 * @param labels as the model learns them
 * @param scores of each row, one row after the other
 * @param wrong whether the model predicts another class
 */
record ScoredRows(int[] order, int[] starts, double[] shares, double[] labels, double[] scores, boolean[] wrong) {
    /** Rows that one task does; a row's result does not depend on it. */
    static final int TOGETHER = 256;

    /** Treats all rows as those of one source. */
    static ScoredRows pooled(TrainedModel model, Dataset data) {
        requireRows(data);
        return of(model, data, List.of(IntStream.range(0, data.rows()).toArray()));
    }

    /** Leaves out sources without rows. */
    static ScoredRows bySource(TrainedModel model, Dataset data) {
        requireRows(data);
        Check.that(
                data.hasGroups(),
                "%s: rows must name their sources",
                data.source().name());
        return of(
                model,
                data,
                data.rowsBySource().stream().filter(rows -> rows.length > 0).toList());
    }

    private static void requireRows(Dataset data) {
        Check.that(data.rows() > 0, "%s: no data rows", data.source().name());
    }

    private static ScoredRows of(TrainedModel model, Dataset data, List<int[]> sources) {
        Predictions predictions = model.predict(data);
        requireLabels(data, predictions.classes());
        Dataset learnt = model.labels().apply(data);
        int k = model.model().scoresPerRow();
        int[] order = sources.stream().flatMapToInt(Arrays::stream).toArray();
        int[] starts = new int[sources.size() + 1];
        double[] shares = new double[order.length];
        double[] labels = new double[order.length];
        double[] scores = new double[order.length * k];
        boolean[] wrong = new boolean[order.length];
        for (int j = 0; j < order.length; j++) {
            shares[j] = data.weight(order[j]);
            labels[j] = learnt.label(order[j]);
            System.arraycopy(predictions.scores(), order[j] * k, scores, j * k, k);
            wrong[j] = predictions.classes() > 0 && predictions.label(order[j]) != data.label(order[j]);
        }
        for (int g = 0; g < sources.size(); g++) {
            starts[g + 1] = starts[g] + sources.get(g).length;
            double total = Arrays.stream(shares, starts[g], starts[g + 1]).sum();
            Check.that(
                    total > 0 && Double.isFinite(total),
                    "%s: the weights of rows must have a finite sum > 0, got %s",
                    data.source().name(),
                    total);
            for (int j = starts[g]; j < starts[g + 1]; j++) {
                shares[j] /= total;
            }
        }
        return new ScoredRows(order, starts, shares, labels, scores, wrong);
    }

    private static void requireLabels(Dataset data, int classes) {
        for (int r = 0; r < data.rows(); r++) {
            double label = data.label(r);
            Check.that(
                    classes == 0 ? Double.isFinite(label) : label >= 0 && label < classes && label == Math.rint(label),
                    "%s: row %d of the %d given must have a label %s, got %s",
                    data.source().name(),
                    r + 1,
                    data.rows(),
                    classes == 0 ? "that is finite" : "of one of the " + classes + " classes",
                    label);
        }
    }

    /** Returns the rows as the model sees them, in this order. */
    Dataset scaled(TrainedModel model, Dataset data) {
        return model.scaling().apply(data).select(order);
    }

    int rows() {
        return order.length;
    }

    int sources() {
        return starts.length - 1;
    }

    /** Returns the mean over each source's rows, summed so that rounding is below 64 units in the last place. */
    double[] means(double[] values) {
        double[] means = new double[sources()];
        for (int g = 0; g < means.length; g++) {
            int from = starts[g];
            int count = starts[g + 1] - from;
            means[g] = Tree.reduce(
                    (count + TOGETHER - 1) / TOGETHER,
                    b -> {
                        int at = from + b * TOGETHER;
                        return Vectors.dot(shares, at, values, at, Math.min(TOGETHER, from + count - at));
                    },
                    Double::sum);
        }
        return means;
    }
}
