package holdfast.evaluation;

import holdfast.shift.Shift;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How frequent classes are among rows, and after a shift. A mean over rows becomes the mean over classes of their own
 * means, by their shares after the shift; that share is given, so the interval has only the classes' own uncertainty.
 *
 * @param rows the rows of each class
 * @param before the share of each class among the rows
 * @param after its share after the shift; the same array if the shift does not change it
 */
record ClassMix(List<int[]> rows, double[] before, double[] after) {
    static ClassMix of(double[] labels, int classes, Shift shift) {
        List<int[]> rows = IntStream.range(0, classes)
                .mapToObj(c -> IntStream.range(0, labels.length)
                        .filter(j -> labels[j] == c)
                        .toArray())
                .toList();
        double[] before = rows.stream()
                .mapToDouble(own -> (double) own.length / labels.length)
                .toArray();
        return new ClassMix(rows, before, shift.classShares(before));
    }

    /** Returns whether rows of different classes count differently. */
    boolean changed() {
        return after != before;
    }

    /** Returns how much a row of a class counts. */
    double weight(int c) {
        return changed() && before[c] > 0 ? after[c] / before[c] : 1;
    }

    /** Returns how much a row of each class counts. */
    double[] weights() {
        return IntStream.range(0, after.length).mapToDouble(this::weight).toArray();
    }

    /** Returns the classes that occur after the shift. */
    private int[] present() {
        return IntStream.range(0, after.length).filter(c -> after[c] > 0).toArray();
    }

    private double[] of(int c, double[] values) {
        return Arrays.stream(rows.get(c)).mapToDouble(j -> values[j]).toArray();
    }

    private double mean(int c, double[] values) {
        return Arrays.stream(of(c, values)).sum() / rows.get(c).length;
    }

    /** Returns the mean of one value per row. */
    double mean(double[] values) {
        return Arrays.stream(present())
                .mapToDouble(c -> after[c] * mean(c, values))
                .sum();
    }

    /**
     * Returns the interval of the mean of one value per row.
     *
     * @param ofClass the interval of the mean of a class's values
     */
    Interval interval(double[] values, Function<double[], Interval> ofClass) {
        int[] classes = present();
        return Interval.ofWeightedSum(
                Arrays.stream(classes).mapToDouble(c -> after[c]).toArray(),
                Arrays.stream(classes).mapToDouble(c -> mean(c, values)).toArray(),
                Arrays.stream(classes)
                        .mapToObj(c -> ofClass.apply(of(c, values)))
                        .toList());
    }

    /**
     * Returns the mean over classes of the AUC of each against the rest, in which the other classes count by their shares;
     * NaN if a class is missing.
     */
    double meanAuc(Predictions said) {
        double[][] logs =
                IntStream.range(0, said.rows()).mapToObj(said::logProbabilities).toArray(double[][]::new);
        return IntStream.range(0, after.length)
                .mapToDouble(c -> IntStream.range(0, after.length)
                                .filter(other -> other != c)
                                .mapToDouble(other -> after[other] * auc(logs, c, other))
                                .sum()
                        / (1 - after[c]))
                .average()
                .orElseThrow();
    }

    /** Returns how often a row of a class has a larger probability of it than a row of another; ties count half. */
    private double auc(double[][] logs, int c, int other) {
        int[] both = IntStream.concat(Arrays.stream(rows.get(c)), Arrays.stream(rows.get(other)))
                .toArray();
        return Evaluation.auc(
                Arrays.stream(both).mapToDouble(j -> logs[j][c]).toArray(),
                IntStream.range(0, both.length)
                        .mapToDouble(i -> i < rows.get(c).length ? 1 : 0)
                        .toArray());
    }
}
