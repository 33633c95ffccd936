package holdfast.sources;

import holdfast.evaluation.Evaluation;
import holdfast.math.Normal;
import holdfast.math.Vectors;
import holdfast.model.Target;
import java.util.Arrays;

/**
 * How well scores rank labels.
 *
 * @param z standardised among all permutations of the labels; NaN if all labels are equal
 * @param agreement see {@link Verdict#agreement}
 * @param pValue the probability, among all permutations of the labels, of an agreement this low or lower; 1 if all
 *     labels are equal
 */
record Agreement(double z, double agreement, double pValue) {
    private static final Agreement NONE = new Agreement(Double.NaN, Double.NaN, 1);
    /** Up to this many pairs of rows of two classes, the probability is counted exactly. */
    private static final int MAX_PAIRS = 3000;

    static Agreement of(SourceComparison sources, int source) {
        double[] labels = sources.labels()[source];
        double[] scores = sources.scores()[source];
        int k = sources.scoresPerRow();
        return labels.length < 2
                ? NONE
                : k == 1
                        ? ofScores(scores, labels, sources.target() == Target.TWO_CLASSES)
                        : ofClasses(OwnShares.probabilities(scores, labels, k), labels);
    }

    /**
     * Computes the sum of rank(score) rank(label), with ties: Spearman's statistic, and for two classes Mann and
     * Whitney's.
     */
    static Agreement ofScores(double[] scores, double[] labels, boolean classes) {
        int n = labels.length;
        double[] a = centred(Evaluation.ranks(scores));
        double[] b = centred(Evaluation.ranks(labels));
        double spread = Math.sqrt(Vectors.dot(a, a, n) * Vectors.dot(b, b, n));
        if (Vectors.dot(b, b, n) == 0) {
            return NONE;
        }
        double rho = spread > 0 ? Vectors.dot(a, b, n) / spread : 0;
        double z = rho * Math.sqrt(n - 1);
        if (!classes) {
            return new Agreement(z, (rho + 1) / 2, Normal.below(z));
        }
        double auc = Evaluation.auc(scores, labels);
        int ones = (int) Vectors.sum(labels, n);
        boolean few = z < 0 && (long) ones * (n - ones) <= MAX_PAIRS;
        return new Agreement(z, auc, few ? atMost(auc * ones * (n - ones), ones, n - ones) : Normal.below(z));
    }

    private static double[] centred(double[] ranks) {
        double mean = (ranks.length + 1) / 2.0;
        return Arrays.stream(ranks).map(r -> r - mean).toArray();
    }

    /**
     * Computes the sum over rows of the probability of the row's own label. The mean and variance over all
     * permutations of labels have closed forms (Hoeffding 1951).
     */
    static Agreement ofClasses(double[][] probabilities, double[] labels) {
        int k = probabilities.length;
        int n = labels.length;
        double[][] p = new double[k][];
        double[] share = new double[k];
        for (double label : labels) {
            share[(int) label] += 1.0 / n;
        }
        double[] ofRow = new double[n];
        double auc = 0;
        int present = 0;
        for (int c = 0; c < k; c++) {
            int actual = c;
            if (share[c] > 0 && share[c] < 1) {
                auc += Evaluation.auc(
                        probabilities[c],
                        Arrays.stream(labels).map(y -> y == actual ? 1 : 0).toArray());
                present++;
            }
            double mean = Vectors.sum(probabilities[c], n) / n;
            p[c] = Arrays.stream(probabilities[c]).map(v -> v - mean).toArray();
            Vectors.addScaled(ofRow, share[c], p[c], n);
        }
        double gap = 0;
        double squares = 0;
        for (int j = 0; j < n; j++) {
            gap += p[(int) labels[j]][j];
            for (int c = 0; c < k; c++) {
                squares += share[c] * n * (p[c][j] - ofRow[j]) * (p[c][j] - ofRow[j]);
            }
        }
        if (present < 2 || squares == 0) {
            return NONE;
        }
        double z = gap / Math.sqrt(squares / (n - 1));
        return new Agreement(z, auc / present, Normal.below(z));
    }

    /**
     * Returns the probability that Mann and Whitney's U, the number of pairs in the right order, is at most this if
     * every order of a + b rows is equally likely: by the recursion U(a, b) = U(a - 1, b) + b with probability a/(a +
     * b), otherwise U(a, b - 1).
     */
    static double atMost(double u, int a, int b) {
        int most = a * b;
        double[][] now = new double[b + 1][];
        for (int i = 0; i <= a; i++) {
            double[][] next = new double[b + 1][];
            for (int j = 0; j <= b; j++) {
                next[j] = new double[i * j + 1];
                if (i == 0 || j == 0) {
                    next[j][0] = 1;
                    continue;
                }
                double first = (double) i / (i + j);
                for (int v = 0; v < now[j].length; v++) {
                    next[j][v + j] += first * now[j][v];
                }
                for (int v = 0; v < next[j - 1].length; v++) {
                    next[j][v] += (1 - first) * next[j - 1][v];
                }
            }
            now = next;
        }
        double sum = 0;
        for (int v = 0; v <= Math.min(most, Math.floor(u + 0.5)); v++) {
            sum += now[b][v];
        }
        return Math.min(1, sum);
    }
}
