package holdfast.evaluation;

import holdfast.Check;
import holdfast.math.Logistic;
import holdfast.math.Order;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/**
 * A 95 % confidence interval: over many samples of rows, about 95 % of such intervals contain the value that the metric
 * has on all rows of the population. The rows must be independent draws; an interval over the rows of several sources
 * speaks about those sources, not about new ones.
 *
 * @param low at most {@code high}
 * @param high infinite if there are too few rows to bound it
 */
public record Interval(double low, double high) {
    /** P(|Z| &lt;= z) = 0.95 for a standard normal Z. */
    private static final double Z = 1.959963984540054;
    /** P(|T| &lt;= t) = 0.95 for Student's T with 1, 2, 3 and 4 degrees of freedom. */
    private static final double[] T = {12.706204736174698, 4.302652729749464, 3.182446305283708, 2.776445105197793};

    private static final int HALVINGS = 60;

    public Interval {
        Check.that(low <= high, "an interval must not end before it begins, got %s to %s", low, high);
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }

    /**
     * Returns the interval of a share k/n (Wilson 1927): the p with |k/n - p| &lt;= z sqrt(p(1-p)/n), which are
     *
     * <p>(k + z^2/2 -+ z sqrt(k(n-k)/n + z^2/4)) / (n + z^2).
     *
     * @param k at most n
     * @param n at least 1
     */
    public static Interval ofShare(int k, int n) {
        Check.that(n >= 1 && k >= 0 && k <= n, "a share needs 0 <= k <= n and n >= 1, got %d of %d", k, n);
        double middle = k + Z * Z / 2;
        double reach = Z * Math.sqrt((double) k * (n - k) / n + Z * Z / 4);
        // Rounding must not exclude what is possible.
        double low = k == 0 ? 0 : (middle - reach) / (n + Z * Z);
        double high = k == n ? 1 : (middle + reach) / (n + Z * Z);
        return new Interval(low, high);
    }

    /**
     * Returns the interval of the mean of values that are never negative: mean -+ t s/sqrt(n), and not below 0. s^2 is
     * their variance (with n-1) and t Student's for n-1 degrees of freedom. One value bounds nothing: [0, infinity].
     *
     * @param values at least one
     */
    public static Interval ofMean(double... values) {
        int n = values.length;
        Check.that(n >= 1, "a mean needs a value, got none");
        if (n == 1) {
            return new Interval(0, Double.POSITIVE_INFINITY);
        }
        double mean = Arrays.stream(values).sum() / n;
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        double reach = student(n - 1) * Math.sqrt(squares / (n - 1) / n);
        return Double.isFinite(mean + reach)
                ? new Interval(Math.max(0, mean - reach), mean + reach)
                : new Interval(0, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the interval of the sum of w_c x_c, where the x_c are estimated from different rows and have intervals of
     * their own [l_c, u_c]: from x - sqrt(sum of w_c^2 (x_c - l_c)^2) to x + sqrt(sum of w_c^2 (u_c - x_c)^2) (Zou, Donner
     * 2008). For one x_c with w_c = 1 it is that one's interval.
     *
     * @param weights not negative
     */
    public static Interval ofWeightedSum(double[] weights, double[] values, List<Interval> intervals) {
        double sum = 0;
        double below = 0;
        double above = 0;
        for (int c = 0; c < weights.length; c++) {
            double low = weights[c] * (values[c] - intervals.get(c).low);
            double high = weights[c] * (intervals.get(c).high - values[c]);
            sum += weights[c] * values[c];
            below += low * low;
            above += high * high;
        }
        return new Interval(Math.max(0, sum - Math.sqrt(below)), sum + Math.sqrt(above));
    }

    /** Returns the interval value -+ z s within [0, 1], s the standard error. */
    static Interval inShares(double value, double error) {
        return new Interval(Math.max(0, value - Z * error), Math.min(1, value + Z * error));
    }

    /**
     * Returns the interval of an F1 of numbers of rows. Of the rows that are of the class or predicted as it, the share F*
     * that are both makes F1 = 2F&#42;/(1 + F&#42;), which grows with it (Hand, Christen, Kirielle 2021); so the ends of its
     * Wilson interval make those of the F1.
     *
     * @param found rows that are both
     * @param others rows that are one or the other, but not both
     */
    public static Interval ofF1(int found, int others) {
        Interval share = ofShare(found, found + others);
        return new Interval(2 * share.low / (1 + share.low), 2 * share.high / (1 + share.high));
    }

    /**
     * Returns the interval of a share f(x, y) that grows with x and falls with y, where x and y are estimated from different
     * rows and have intervals of their own: from f - sqrt((f - f(l_x, y))^2 + (f - f(x, u_y))^2) to the same upwards, as in
     * {@link #ofWeightedSum} (Zou, Donner 2008).
     */
    static Interval ofShare(DoubleBinaryOperator f, double x, Interval ofX, double y, Interval ofY) {
        double value = f.applyAsDouble(x, y);
        double lowX = value - f.applyAsDouble(ofX.low, y);
        double highY = value - f.applyAsDouble(x, ofY.high);
        double highX = f.applyAsDouble(ofX.high, y) - value;
        double lowY = f.applyAsDouble(x, ofY.low) - value;
        return new Interval(
                Math.max(0, value - Math.sqrt(lowX * lowX + highY * highY)),
                Math.min(1, value + Math.sqrt(highX * highX + lowY * lowY)));
    }

    /**
     * Returns the interval of an average precision a of m rows of class 1: expit(logit(a) -+ z/sqrt(m a(1-a))) (Boyd, Eng,
     * Page 2013). Where a is 1, it is Wilson's interval of m of m.
     *
     * @param m at least 1
     */
    static Interval ofAveragePrecision(double a, int m) {
        if (a >= 1) {
            return ofShare(m, m);
        }
        double logit = StrictMath.log(a / (1 - a));
        double reach = Z / Math.sqrt(m * a * (1 - a));
        return new Interval(Logistic.sigmoid(logit - reach), Logistic.sigmoid(logit + reach));
    }

    /** Returns the interval of the root of the mean square: the roots of the interval of the squares' mean. */
    public static Interval ofRootMeanSquare(double... differences) {
        Interval squares = ofMean(Arrays.stream(differences).map(d -> d * d).toArray());
        return new Interval(Math.sqrt(squares.low), Math.sqrt(squares.high));
    }

    /**
     * Returns t with P(|T| &lt;= t) = 0.95, by the expansion in 1/degrees of Cornish and Fisher (Abramowitz, Stegun
     * 26.7.5); exact up to 4 degrees of freedom, and to 0.0003 above.
     */
    public static double student(int degrees) {
        if (degrees <= T.length) {
            return T[degrees - 1];
        }
        double z2 = Z * Z;
        double g1 = (z2 + 1) / 4;
        double g2 = ((5 * z2 + 16) * z2 + 3) / 96;
        double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
        double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
        double v = degrees;
        return Z * (1 + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v);
    }

    /**
     * Returns the interval of the AUC a of m rows of class 1 and n of class 0: expit(logit(a) -+ z s/(a(1-a))). The
     * variance s^2 = var(V)/m + var(W)/n is that of DeLong, DeLong, Clarke-Pearson (1988), where V is, for each row of
     * class 1, the share of rows of class 0 that score below it, and W the same the other way round; both come from
     * ranks (Sun, Xu 2014). The logit keeps the interval in [0, 1] and its coverage near 95 % close to the ends (Pepe
     * 2003).
     *
     * <p>Where s is 0, as when the classes are separated, and for a class of one row, this says nothing. Then the interval is that of the p with
     * |a - p| &lt;= z sqrt(v(p)), v(p) = p(1-p) (2h-1 - (3h-3)/((2-p)(1+p)))/(mn), h = (m+n)/2 (Newcombe 2006, method 5).
     *
     * @param labels 0 or 1
     * @return [0, 1] if a class is missing
     */
    public static Interval ofAuc(double[] scores, double[] labels) {
        double m = Arrays.stream(labels).sum();
        double n = labels.length - m;
        if (m == 0 || n == 0) {
            return new Interval(0, 1);
        }
        double auc = Evaluation.auc(scores, labels);
        double[][] below = placements(scores, labels);
        double variance = Math.min(m, n) == 1 ? 0 : variance(below[1]) / m + variance(below[0]) / n;
        if (variance == 0) {
            return new Interval(newcombe(auc, m, n, 0), newcombe(auc, m, n, 1));
        }
        double logit = StrictMath.log(auc / (1 - auc));
        double reach = Z * Math.sqrt(variance) / (auc * (1 - auc));
        return new Interval(Logistic.sigmoid(logit - reach), Logistic.sigmoid(logit + reach));
    }

    /** Returns for the rows of class 0, and of class 1, the share of the other class that scores below; ties count half. */
    private static double[][] placements(double[] scores, double[] labels) {
        int rows = scores.length;
        int[] order = Order.ascending(scores);
        double[] below = new double[rows];
        int[] seen = new int[2];
        for (int from = 0; from < rows; ) {
            int[] alike = new int[2];
            int to = from;
            do {
                alike[(int) labels[order[to]]]++;
                to++;
            } while (to < rows && scores[order[to]] == scores[order[from]]);
            for (int i = from; i < to; i++) {
                int other = 1 - (int) labels[order[i]];
                below[order[i]] = seen[other] + alike[other] / 2.0;
            }
            seen[0] += alike[0];
            seen[1] += alike[1];
            from = to;
        }
        return IntStream.range(0, 2)
                .mapToObj(own -> IntStream.range(0, rows)
                        .filter(j -> labels[j] == own)
                        .mapToDouble(j -> below[j] / seen[1 - own])
                        .toArray())
                .toArray(double[][]::new);
    }

    private static double variance(double[] values) {
        double mean = Arrays.stream(values).sum() / values.length;
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
    }

    /** Returns the end of Newcombe's interval on the side of {@code end}, 0 or 1, by bisection. */
    private static double newcombe(double auc, double m, double n, double end) {
        double inside = auc;
        double outside = end;
        double h = (m + n) / 2;
        for (int i = 0; i < HALVINGS && inside != outside; i++) {
            double p = (inside + outside) / 2;
            double variance = p * (1 - p) * (2 * h - 1 - (3 * h - 3) / ((2 - p) * (1 + p))) / (m * n);
            if (Math.abs(auc - p) <= Z * Math.sqrt(variance)) {
                inside = p;
            } else {
                outside = p;
            }
        }
        return inside;
    }
}
