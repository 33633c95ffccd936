package holdfast.sources;

import holdfast.math.Vectors;

/**
 * How well the labels of a source follow a model of the others.
 *
 * @param slope of the labels on the predictions: 1 if they are as the model says, 0 if they are random, below 0 if
 *     they contradict it; NaN if there are too few rows
 * @param variance of the slope as its residuals say
 * @param expected variance of the slope if the labels were drawn from the predictions; for numbers the same as
 *     {@code variance}
 */
record LabelFit(double slope, double variance, double expected) {
    private static final int MIN_ROWS = 20;
    private static final int MIN_OF_CLASS = 3;
    /** Rows with a certain prediction must not outweigh all others. */
    private static final double MIN_VARIANCE = 0.1;

    private static final LabelFit UNKNOWN = new LabelFit(Double.NaN, Double.NaN, Double.NaN);

    static LabelFit of(SourceComparison sources, int source) {
        return of(sources, source, sources.scores()[source]);
    }

    static LabelFit of(SourceComparison sources, int source, double[] scores) {
        double[] labels = sources.labels()[source];
        int k = sources.scoresPerRow();
        if (labels.length < MIN_ROWS) {
            return UNKNOWN;
        }
        return sources.target().isClass() ? ofClasses(scores, labels, k) : ofNumbers(scores, labels);
    }

    static LabelFit ofTwoClasses(double[] scores, double[] labels) {
        return labels.length < MIN_ROWS ? UNKNOWN : ofClasses(scores, labels, 1);
    }

    /**
     * Regresses the indicator of each class on its probability p, weighted by 1/(p(1-p) + {@value #MIN_VARIANCE}). The
     * variance is the sandwich estimate, in which the classes of a row belong together.
     */
    private static LabelFit ofClasses(double[] scores, double[] labels, int k) {
        int n = labels.length;
        double[][] p = OwnShares.probabilities(scores, labels, k);
        double covariance = 0;
        double spread = 0;
        double[][] centred = new double[k][n];
        double[][] weights = new double[k][n];
        double[] means = new double[k];
        double[] shares = new double[k];
        for (int c = 0; c < k; c++) {
            double total = 0;
            for (int j = 0; j < n; j++) {
                double w = 1 / (p[c][j] * (1 - p[c][j]) + MIN_VARIANCE);
                weights[c][j] = w;
                total += w;
                means[c] += w * p[c][j];
                shares[c] += w * indicator(labels[j], c, k);
            }
            means[c] /= total;
            shares[c] /= total;
            double rows = 0;
            for (int j = 0; j < n; j++) {
                centred[c][j] = p[c][j] - means[c];
                double y = indicator(labels[j], c, k);
                rows += y;
                covariance += weights[c][j] * centred[c][j] * (y - shares[c]);
                spread += weights[c][j] * centred[c][j] * centred[c][j];
            }
            if (k == 1 && Math.min(rows, n - rows) < MIN_OF_CLASS) {
                return UNKNOWN;
            }
        }
        double slope = covariance / spread;
        double byResiduals = 0;
        double byModel = 0;
        for (int j = 0; j < n; j++) {
            double score = 0;
            double mean = 0;
            for (int c = 0; c < k; c++) {
                double leverage = weights[c][j] * centred[c][j];
                score += leverage * (indicator(labels[j], c, k) - shares[c] - slope * centred[c][j]);
                byModel += leverage * leverage * p[c][j];
                mean += leverage * p[c][j];
            }
            byModel -= mean * mean;
            byResiduals += score * score;
        }
        return spread > 0 ? new LabelFit(slope, byResiduals / (spread * spread), byModel / (spread * spread)) : UNKNOWN;
    }

    private static double indicator(double label, int c, int k) {
        return k == 1 ? label : label == c ? 1 : 0;
    }

    private static LabelFit ofNumbers(double[] scores, double[] labels) {
        int n = labels.length;
        double u = Vectors.sum(scores, n) / n;
        double y = Vectors.sum(labels, n) / n;
        double covariance = 0;
        double spread = 0;
        for (int j = 0; j < n; j++) {
            covariance += (scores[j] - u) * (labels[j] - y);
            spread += (scores[j] - u) * (scores[j] - u);
        }
        if (!(spread > 0)) {
            return UNKNOWN;
        }
        double slope = covariance / spread;
        double sum = 0;
        for (int j = 0; j < n; j++) {
            double influence = (scores[j] - u) * (labels[j] - y - slope * (scores[j] - u));
            sum += influence * influence;
        }
        return new LabelFit(slope, sum / (spread * spread), sum / (spread * spread));
    }
}
