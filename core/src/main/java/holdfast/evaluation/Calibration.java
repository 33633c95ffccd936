package holdfast.evaluation;

import holdfast.Check;
import holdfast.math.Logistic;
import holdfast.preparation.AcrossSources;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * How scores become probabilities: those of classes with the scores u are softmax(slope u + offset). For two classes and the
 * score s = u_1 - u_0, the second's is sigma(slope s + intercept) (Platt 2000), which keeps the order of rows.
 *
 * @param slope above 0
 * @param offsets one for each class, with the sum 0; empty if all are 0
 */
public record Calibration(double slope, List<Double> offsets) {
    /** The probabilities are softmax(u) or sigma(s), as models are trained. */
    public static final Calibration NONE = new Calibration(1, List.of());

    /** What rounding may make of a sum of 0, as a share of the sizes. */
    private static final double ROUNDING = 1e-9;

    private static final int HALVINGS = 45;
    private static final int MAX_SWEEPS = 100;
    private static final double PRECISION = 1e-9;
    /** Logarithms of slopes of standardised scores, and their intercepts, are searched within -+ this. */
    private static final double RANGE = 20;

    public Calibration {
        Check.that(
                slope > 0 && Double.isFinite(slope) && offsets.stream().allMatch(Double::isFinite),
                "calibration: the slope must be > 0 and all must be finite, got slope %s and offsets %s",
                slope,
                offsets);
        double sum = offsets.stream().mapToDouble(o -> o).sum();
        double size = offsets.stream().mapToDouble(Math::abs).sum();
        Check.that(Math.abs(sum) <= ROUNDING * size, "calibration: the offsets must add up to 0, got %s", offsets);
        offsets = size == 0 ? List.of() : List.copyOf(offsets);
    }

    /** Creates a calibration of two classes. */
    public Calibration(double slope, double intercept) {
        this(slope, List.of(-intercept / 2, intercept / 2));
    }

    /** Returns the offset of each class. */
    public double[] offsets(int classes) {
        return offsets.isEmpty()
                ? new double[classes]
                : offsets.stream().mapToDouble(o -> o).toArray();
    }

    /** Returns what is added to the score of two classes. */
    public double intercept() {
        return offsets.isEmpty() ? 0 : offsets.get(1) - offsets.get(0);
    }

    /** Returns whether there is an offset for each of this many classes. */
    boolean fits(int classes) {
        return offsets.isEmpty() || offsets.size() == classes;
    }

    /** Returns the score of two classes whose sigma is the probability. */
    double apply(double score) {
        return slope * score + intercept();
    }

    /** Returns the scores whose softmax is the probability of each class, for the scores of a row that begin at an index. */
    double[] apply(double[] scores, int from, int classes) {
        double[] out = offsets(classes);
        for (int c = 0; c < classes; c++) {
            out[c] += slope * scores[from + c];
        }
        return out;
    }

    /** Returns the probability of the second of two classes for a score. */
    public double probability(double score) {
        return Logistic.sigmoid(apply(score));
    }

    /**
     * Finds the calibration under which probabilities are right in the mean over sources. For two classes the means of (p - t)
     * and of (p - t) s are 0, t the label, drawn inwards as in Platt to (n_1 + 1)/(n_1 + 2) or 1/(n_0 + 2). For one source this
     * is Platt's maximum likelihood. {@link ClassCalibrationFit} does the same for more classes.
     *
     * <p>Means are combined {@link AcrossSources}, and p grows with slope and intercept; so either, given the other, is
     * between what the honest sources would find, if more than 2f sources have rows and at most f lie.
     *
     * @return {@link #NONE} if no slope fits better than the smallest, as for scores that say nothing about labels
     */
    public static Calibration fit(List<ScoredSource> sources, AcrossSources across) {
        return sources.get(0).classes() > 2 ? ClassCalibrationFit.of(sources, across) : ofTwo(sources, across);
    }

    private static Calibration ofTwo(List<ScoredSource> sources, AcrossSources across) {
        double middle = combined(sources, across, (score, label) -> score);
        double variance = combined(sources, across, (score, label) -> (score - middle) * (score - middle));
        if (!(variance > 0)) {
            return NONE;
        }
        double spread = Math.sqrt(variance);
        double ones = sources.size() * combined(sources, across, s -> s.count(1));
        double zeros = sources.size() * combined(sources, across, s -> s.count(0));
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
