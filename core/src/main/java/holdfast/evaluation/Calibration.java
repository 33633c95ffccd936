package holdfast.evaluation;

import holdfast.Check;
import holdfast.math.Logistic;
import holdfast.preparation.AcrossSources;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * How the score s of two classes becomes the probability of the second: sigma(slope s + intercept) (Platt 2000). It keeps
 * the order of rows.
 *
 * @param slope above 0
 */
public record Calibration(double slope, double intercept) {
    /** The probability is sigma(s), as models are trained. */
    public static final Calibration NONE = new Calibration(1, 0);

    private static final int HALVINGS = 45;
    private static final int MAX_SWEEPS = 100;
    private static final double PRECISION = 1e-9;
    /** Logarithms of slopes of standardised scores, and their intercepts, are searched within -+ this. */
    private static final double RANGE = 20;

    public Calibration {
        Check.that(
                slope > 0 && Double.isFinite(slope) && Double.isFinite(intercept),
                "calibration: the slope must be > 0 and both must be finite, got slope %s and intercept %s",
                slope,
                intercept);
    }

    /** Returns the score whose sigma is the probability. */
    double apply(double score) {
        return slope * score + intercept;
    }

    /** Returns the probability of the second class for a score. */
    public double probability(double score) {
        return Logistic.sigmoid(apply(score));
    }

    /**
     * Finds the calibration under which probabilities are right in the mean over sources: the means of (p - t) and of (p - t)
     * s are 0, t the label, drawn inwards as in Platt to (n_1 + 1)/(n_1 + 2) or 1/(n_0 + 2). For one source this is Platt's
     * maximum likelihood.
     *
     * <p>Means are combined {@link AcrossSources}, and p grows with slope and intercept; so either, given the other, is
     * between what the honest sources would find, if more than 2f sources have rows and at most f lie.
     *
     * @return {@link #NONE} if no slope fits better than the smallest, as for scores that say nothing about labels
     */
    public static Calibration fit(List<ScoredSource> sources, AcrossSources across) {
        double middle = combined(sources, across, (score, label) -> score);
        double variance = combined(sources, across, (score, label) -> (score - middle) * (score - middle));
        if (!(variance > 0)) {
            return NONE;
        }
        double spread = Math.sqrt(variance);
        double ones = sources.size() * combined(sources, across, ScoredSource::positives);
        double zeros = sources.size() * combined(sources, across, s -> s.rows() - s.positives());
        double[] targets = {1 / (zeros + 2), (ones + 1) / (ones + 2)};
        double centre = middle;
        double logSlope = 0;
        double intercept = 0;
        for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
            double from = centre;
            double before = StrictMath.exp(logSlope) / spread;
            double shift = root(b -> combined(
                    sources,
                    across,
                    (score, label) -> Logistic.sigmoid(before * (score - from) + b) - targets[(int) label]));
            double next = root(a -> {
                double slope = StrictMath.exp(a) / spread;
                return combined(
                        sources,
                        across,
                        (score, label) -> (Logistic.sigmoid(slope * (score - from) + shift) - targets[(int) label])
                                * (score - from));
            });
            double slope = StrictMath.exp(next) / spread;
            double found = shift - slope * from;
            boolean same = Math.abs(next - logSlope) < PRECISION && Math.abs(found - intercept) < PRECISION;
            logSlope = next;
            intercept = found;
            if (same) {
                break;
            }
            // Around the centre of the uncertain rows, slope and intercept are nearly independent, so few sweeps
            // suffice.
            double weight = combined(sources, across, (score, label) -> doubt(slope * score + found));
            double moment =
                    combined(sources, across, (score, label) -> doubt(slope * score + found) * (score - middle));
            centre = weight > 0 ? middle + moment / weight : middle;
        }
        return Math.abs(logSlope) > RANGE - 1 ? NONE : new Calibration(StrictMath.exp(logSlope) / spread, intercept);
    }

    private static double doubt(double score) {
        double p = Logistic.sigmoid(score);
        return p * (1 - p);
    }

    private interface RowValue {
        double of(double score, double label);
    }

    private static double mean(ScoredSource source, RowValue value) {
        double[] scores = source.scores();
        double[] labels = source.labels();
        double sum = 0;
        for (int j = 0; j < labels.length; j++) {
            sum += value.of(scores[j], labels[j]);
        }
        return sum / labels.length;
    }

    private static double combined(List<ScoredSource> sources, AcrossSources across, RowValue value) {
        return combined(sources, across, source -> mean(source, value));
    }

    private static double combined(
            List<ScoredSource> sources, AcrossSources across, ToDoubleFunction<ScoredSource> of) {
        return across.mean(sources.stream().mapToDouble(of).toArray());
    }

    /** Returns where a growing function is 0, by bisection. */
    private static double root(DoubleUnaryOperator growing) {
        double low = -RANGE;
        double high = RANGE;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (growing.applyAsDouble(middle) < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
