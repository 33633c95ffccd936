package holdfast.sources;

import holdfast.math.Logistic;

/** Turns scores into probabilities that fit how common the classes are in one source. */
final class OwnShares {
    private static final int ITERATIONS = 30;

    private OwnShares() {}

    /**
     * Returns probabilities whose means over the rows are the shares of the classes: the best intercepts for these
     * rows, by iterative proportional fitting.
     *
     * @param scores k per row; one per row stands for two classes
     * @return [class][row]; with one score per row, of the second class alone
     */
    static double[][] probabilities(double[] scores, double[] labels, int k) {
        int n = labels.length;
        double[][] p = new double[k][n];
        double[] intercepts = new double[k];
        double[] shares = new double[k];
        for (double label : labels) {
            if (k == 1) {
                shares[0] += label;
            } else {
                shares[(int) label]++;
            }
        }
        double[] own = new double[k];
        double[] shifted = new double[k];
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            double[] sums = new double[k];
            for (int j = 0; j < n; j++) {
                if (k == 1) {
                    own[0] = Logistic.sigmoid(scores[j] + intercepts[0]);
                } else {
                    for (int c = 0; c < k; c++) {
                        shifted[c] = scores[j * k + c] + intercepts[c];
                    }
                    Logistic.softmax(shifted, 0, k, own);
                }
                for (int c = 0; c < k; c++) {
                    p[c][j] = own[c];
                    sums[c] += own[c];
                }
            }
            double change = 0;
            for (int c = 0; c < k; c++) {
                double step = StrictMath.log((shares[c] + 0.5) / (sums[c] + 0.5));
                if (k == 1) {
                    step -= StrictMath.log((n - shares[c] + 0.5) / (n - sums[c] + 0.5));
                }
                intercepts[c] += step;
                change = Math.max(change, Math.abs(step));
            }
            if (change < 1e-6) {
                break;
            }
        }
        return p;
    }
}
