package holdfast.evaluation;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How well the rows of one class are told from the rest, as numbers of rows.
 *
 * @param found rows of the class that are predicted as such
 * @param alarms rows of other classes that are predicted as the class
 * @param missed rows of the class that are predicted as another
 */
public record Detection(double found, double alarms, double missed) {
    /**
     * Counts the rows of a confusion matrix.
     *
     * @param weights how much a row of each class counts
     */
    static Detection of(int[][] confusion, int c, double[] weights) {
        double alarms = 0;
        double missed = 0;
        for (int other = 0; other < confusion.length; other++) {
            alarms += other == c ? 0 : weights[other] * confusion[other][c];
            missed += other == c ? 0 : weights[c] * confusion[c][other];
        }
        return new Detection(weights[c] * confusion[c][c], alarms, missed);
    }

    /** Returns the share of the rows predicted as the class that are of it; NaN if there are none. */
    public double precision() {
        return found / (found + alarms);
    }

    /** Returns the share of the rows of the class that are predicted as such; NaN if there are none. */
    public double recall() {
        return found / (found + missed);
    }

    /** Returns 2 found/(2 found + alarms + missed); NaN if the class is neither there nor predicted. */
    public double f1() {
        return 2 * found / (2 * found + alarms + missed);
    }

    /** Returns the classes of a confusion matrix that occur among labels or predictions. */
    static int[] occurring(int[][] confusion) {
        return IntStream.range(0, confusion.length)
                .filter(c -> Arrays.stream(confusion[c]).sum() + columnSum(confusion, c) > 0)
                .toArray();
    }

    private static int columnSum(int[][] confusion, int c) {
        return Arrays.stream(confusion).mapToInt(row -> row[c]).sum();
    }

    /**
     * Returns the interval of the mean precision of classes. Given how often each is predicted, their precisions are shares
     * of different rows.
     */
    static Interval ofMeanPrecision(int[][] confusion, int[] classes) {
        return ofMeanShare(classes, c -> confusion[c][c], c -> columnSum(confusion, c));
    }

    /** Returns the interval of the mean recall of classes, whose recalls are shares of different rows. */
    static Interval ofMeanRecall(int[][] confusion, int[] classes) {
        return ofMeanShare(
                classes, c -> confusion[c][c], c -> Arrays.stream(confusion[c]).sum());
    }

    private interface Count {
        int of(int c);
    }

    /** A class without rows counts 0, with certainty. */
    private static Interval ofMeanShare(int[] classes, Count part, Count whole) {
        int[] known = Arrays.stream(classes).filter(c -> whole.of(c) > 0).toArray();
        double[] weights = new double[known.length];
        Arrays.fill(weights, 1.0 / classes.length);
        Interval sum = Interval.ofWeightedSum(
                weights,
                Arrays.stream(known)
                        .mapToDouble(c -> (double) part.of(c) / whole.of(c))
                        .toArray(),
                Arrays.stream(known)
                        .mapToObj(c -> Interval.ofShare(part.of(c), whole.of(c)))
                        .toList());
        return new Interval(sum.low(), Math.min(1, sum.high()));
    }

    /**
     * Returns the interval of the mean F1 of classes by the delta method (Takahashi et al. 2022): with p_ij the share of
     * rows of class i predicted as j, F_c = 2 p_cc/(sum of row c and column c), and the variance of the mean F1 is that of
     * its derivative in p_ij over rows, divided by their number.
     */
    static Optional<Interval> ofMeanF1(int[][] confusion, int[] classes) {
        double n = Arrays.stream(confusion).flatMapToInt(Arrays::stream).sum();
        double[] derivative = new double[confusion.length];
        double[] both = new double[confusion.length];
        double value = 0;
        for (int c : classes) {
            both[c] = (Arrays.stream(confusion[c]).sum() + columnSum(confusion, c)) / n;
            derivative[c] = 2 * confusion[c][c] / n / (both[c] * both[c]) / classes.length;
            value += 2 * confusion[c][c] / n / both[c] / classes.length;
        }
        double mean = 0;
        double squares = 0;
        for (int i : classes) {
            for (int j : classes) {
                double share = confusion[i][j] / n;
                double slope = (i == j ? 2 / both[i] / classes.length : 0) - derivative[i] - derivative[j];
                mean += share * slope;
                squares += share * slope * slope;
            }
        }
        double variance = Math.max(0, squares - mean * mean) / n;
        return variance == 0 ? Optional.empty() : Optional.of(Interval.inShares(value, Math.sqrt(variance)));
    }
}
