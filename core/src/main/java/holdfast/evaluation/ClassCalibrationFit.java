package holdfast.evaluation;

import holdfast.math.ConjugateGradient;
import holdfast.math.Logistic;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.preparation.AcrossSources;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Finds the calibration of more than two classes, p = softmax(slope u + offset): the combined mean of p_c - t_c is the same
 * number mu for every class c, and that of the sum over c of (p_c - t_c) (u_c - m_c) is 0. For one source mu is 0, and this is
 * the maximum likelihood.
 *
 * <ul>
 *   <li>t is the label, drawn inwards so that a class that is never wrong stays finite: (n_c + 1)/(n_c + 2) for the row's own
 *       class c of n_c rows, and equal shares of the rest for the others. For two classes these are Platt's targets.
 *   <li>m is the centre of the undecided rows: m_c - m_d is fitted to the mean of u_c - u_d with weights p_c p_d, by least
 *       squares. Around it slope and offsets are nearly independent, so few sweeps suffice.
 *   <li>Trimmed means of the classes need not add up to 0 as means do, so they cannot all be 0. What is left over, mu, is
 *       shared by all classes; it is large where sources have different classes, and about the same for each.
 * </ul>
 *
 * <p>p_c grows with its offset and falls with the others, and the sum grows with the slope, because the log-likelihood is
 * concave. So if more than 2f sources have rows and at most f lie, the slope, given the offsets and m, is between what the
 * honest sources would find, and so is the offset of c, given the rest, for targets that are larger by mu. |mu| is at most the
 * range of the honest sources' means of p_c - t_c, averaged over the classes: 0 if they agree.
 */
final class ClassCalibrationFit {
    private static final int MAX_SWEEPS = 100;
    private static final int MAX_STEPS = 100;
    private static final double PRECISION = 1e-9;
    private static final double ROOT_PRECISION = 1e-13;
    private static final double CENTRE_PRECISION = 1e-10;
    /** Logarithms of slopes of standardised scores, and changes of offsets, are searched within -+ this. */
    private static final double RANGE = 20;

    private final int classes;
    private final List<Rows> sources;
    private final AcrossSources across;

    private ClassCalibrationFit(List<ScoredSource> given, AcrossSources across) {
        this.classes = given.get(0).classes();
        this.across = across;
        double[] counts = IntStream.range(0, classes)
                .mapToDouble(c -> given.size()
                        * across.mean(given.stream()
                                .mapToDouble(source -> source.count(c))
                                .toArray()))
                .toArray();
        double[][] targets = targets(counts);
        this.sources =
                given.stream().map(source -> new Rows(source, classes, targets)).toList();
    }

    /**
     * Returns the calibration; none if no slope fits better than the smallest, if the combined log-loss would not fall, or if
     * a class has rows in at most f sources: these may be lies, and trimming would leave none of them.
     */
    static Calibration of(List<ScoredSource> sources, AcrossSources across) {
        int classes = sources.get(0).classes();
        boolean known = IntStream.range(0, classes).allMatch(c -> {
            int with =
                    (int) sources.stream().filter(source -> source.count(c) > 0).count();
            return with == 0 || across.knows(with);
        });
        if (!known) {
            return Calibration.NONE;
        }
        ClassCalibrationFit fit = new ClassCalibrationFit(sources, across);
        Calibration found = fit.find();
        return fit.loss(found) < fit.loss(Calibration.NONE) ? found : Calibration.NONE;
    }

    /** Returns what p should be for a row, by its label. */
    private static double[][] targets(double[] counts) {
        int k = counts.length;
        double[][] targets = new double[k][k];
        for (int label = 0; label < k; label++) {
            Arrays.fill(targets[label], 1 / ((k - 1) * (counts[label] + 2)));
            targets[label][label] = (counts[label] + 1) / (counts[label] + 2);
        }
        return targets;
    }

    private Calibration find() {
        double[] centre = IntStream.range(0, classes)
                .mapToDouble(c -> combined(rows -> rows.mean(rows.scores, c)))
                .toArray();
        double[] middle = centre;
        double variance = combined(rows -> rows.variance(middle));
        if (!(variance > 0)) {
            return Calibration.NONE;
        }
        double spread = Math.sqrt(variance);
        double logSlope = 0;
        double[] offsets = moved(new double[classes], -1 / spread, centre);
        for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
            double slope = StrictMath.exp(logSlope) / spread;
            double[] found = offsets.clone();
            for (int i = 0; i < classes; i++) {
                int c = i;
                double from = found[c];
                found[c] = root(
                        offset -> {
                            found[c] = offset;
                            return excess(c, slope, found);
                        },
                        from,
                        from - RANGE,
                        from + RANGE);
            }
            double[] around = centre;
            double next = root(
                    a -> {
                        double tried = StrictMath.exp(a) / spread;
                        return slopeExcess(tried, moved(found, slope - tried, around), around);
                    },
                    logSlope,
                    -RANGE,
                    RANGE);
            if (Math.abs(next) > RANGE - 1) {
                return Calibration.NONE;
            }
            double changed = StrictMath.exp(next) / spread;
            double[] before = offsets;
            offsets = centred(moved(found, slope - changed, around));
            boolean same = Math.abs(next - logSlope) < PRECISION && near(offsets, before);
            logSlope = next;
            if (same) {
                break;
            }
            centre = centre(changed, offsets);
        }
        return new Calibration(
                StrictMath.exp(logSlope) / spread,
                Arrays.stream(offsets).boxed().toList());
    }

    private static boolean near(double[] a, double[] b) {
        return IntStream.range(0, a.length).allMatch(c -> Math.abs(a[c] - b[c]) < PRECISION * (1 + Math.abs(a[c])));
    }

    private static double[] moved(double[] from, double step, double[] direction) {
        double[] out = from.clone();
        Vectors.addScaled(out, step, direction, out.length);
        return out;
    }

    /** Returns values with the same differences whose sum is 0. */
    private static double[] centred(double[] values) {
        double mean = Vectors.sum(values, values.length) / values.length;
        return Arrays.stream(values).map(v -> v - mean).toArray();
    }

    /** Returns by how much the combined mean of p_c - t_c is above the mean of those of all classes. */
    private double excess(int c, double slope, double[] offsets) {
        predict(slope, offsets);
        double all = 0;
        for (int d = 0; d < classes; d++) {
            all += excess(d);
        }
        return excess(c) - all / classes;
    }

    private double excess(int c) {
        return combined(rows -> rows.mean(rows.probabilities, c) - rows.targets[c]);
    }

    /** Returns the combined mean of the sum over c of (p_c - t_c) (u_c - m_c). */
    private double slopeExcess(double slope, double[] offsets, double[] centre) {
        predict(slope, offsets);
        return combined(rows -> rows.slopeExcess(centre));
    }

    /** Returns the centre of the undecided rows; 0 if there is none, as where no source has any. */
    private double[] centre(double slope, double[] offsets) {
        predict(slope, offsets);
        double[][] weights = new double[classes][classes];
        double[] moments = new double[classes];
        for (int c = 0; c < classes; c++) {
            for (int d = 0; d < c; d++) {
                int one = c;
                int other = d;
                double moment = combined(rows -> rows.gap(one, other));
                moments[c] += moment;
                moments[d] -= moment;
                weights[c][d] = combined(rows -> rows.indecision(one, other));
                weights[d][c] = weights[c][d];
            }
        }
        double[] found =
                ConjugateGradient.solve(m -> normalEquations(weights, m), moments, CENTRE_PRECISION, 2 * classes);
        return Vectors.finite(found) ? found : new double[classes];
    }

    /** Returns, for each c, the sum over d of w_cd (m_c - m_d). */
    private static double[] normalEquations(double[][] weights, double[] m) {
        double[] out = new double[m.length];
        for (int c = 0; c < m.length; c++) {
            for (int d = 0; d < m.length; d++) {
                out[c] += weights[c][d] * (m[c] - m[d]);
            }
        }
        return out;
    }

    /** Returns the combined log-loss, with labels drawn inwards. */
    private double loss(Calibration calibration) {
        double[] offsets = calibration.offsets(classes);
        return combined(rows -> rows.loss(calibration.slope(), offsets));
    }

    private void predict(double slope, double[] offsets) {
        Threads.here().each(sources.size(), s -> sources.get(s).predict(slope, offsets));
    }

    private double combined(ToDoubleFunction<Rows> of) {
        return across.mean(sources.stream().mapToDouble(of).toArray());
    }

    /**
     * Returns where a growing function is 0, or the end of the range that is nearer to it: by false position with halved ends
     * (Illinois), from a bracket around a guess.
     */
    static double root(DoubleUnaryOperator growing, double guess, double least, double most) {
        double low = guess;
        double high = guess;
        double below = growing.applyAsDouble(guess);
        double above = below;
        for (double step = 0.5; below > 0; step *= 4) {
            if (low == least) {
                return least;
            }
            high = low;
            above = below;
            low = Math.max(least, guess - step);
            below = growing.applyAsDouble(low);
        }
        for (double step = 0.5; above < 0; step *= 4) {
            if (high == most) {
                return most;
            }
            low = high;
            below = above;
            high = Math.min(most, guess + step);
            above = growing.applyAsDouble(high);
        }
        int side = 0;
        for (int i = 0; i < MAX_STEPS && high - low > ROOT_PRECISION * (1 + Math.abs(low)); i++) {
            double at = low + (high - low) * (-below / (above - below));
            double value = growing.applyAsDouble(at);
            if (value == 0) {
                return at;
            }
            if (value < 0) {
                low = at;
                below = value;
                above = side < 0 ? above / 2 : above;
                side = -1;
            } else {
                high = at;
                above = value;
                below = side > 0 ? below / 2 : below;
                side = 1;
            }
        }
        return low + (high - low) / 2;
    }

    /** The rows of one source, class by class: the score of class c in row j is at c n + j. */
    private static final class Rows {
        private final int classes;
        private final int n;
        /** They add up to 0 in each row. */
        private final double[] scores;
        /** The mean target of each class. */
        private final double[] targets;
        /** The mean of the sum over c of t_c u_c. */
        private final double targetScore;

        private final double[] probabilities;

        Rows(ScoredSource source, int classes, double[][] targets) {
            this.classes = classes;
            this.n = source.rows();
            this.scores = new double[classes * n];
            this.probabilities = new double[classes * n];
            this.targets = new double[classes];
            double[] given = source.scores();
            double[] labels = source.labels();
            double sum = 0;
            for (int j = 0; j < n; j++) {
                double mean = 0;
                for (int c = 0; c < classes; c++) {
                    mean += given[j * classes + c] / classes;
                }
                for (int c = 0; c < classes; c++) {
                    double target = targets[(int) labels[j]][c];
                    double score = given[j * classes + c] - mean;
                    this.scores[c * n + j] = score;
                    this.targets[c] += target / n;
                    sum += target * score;
                }
            }
            this.targetScore = sum / n;
        }

        private double[] scaled(double slope, double[] offsets) {
            double[] scaled = new double[scores.length];
            for (int c = 0; c < classes; c++) {
                for (int i = c * n; i < (c + 1) * n; i++) {
                    scaled[i] = slope * scores[i] + offsets[c];
                }
            }
            return scaled;
        }

        void predict(double slope, double[] offsets) {
            Logistic.softmax(scaled(slope, offsets), probabilities, classes, n);
        }

        double mean(double[] values, int c) {
            double sum = 0;
            for (int i = c * n; i < (c + 1) * n; i++) {
                sum += values[i];
            }
            return sum / n;
        }

        double variance(double[] centre) {
            double sum = 0;
            for (int c = 0; c < classes; c++) {
                for (int i = c * n; i < (c + 1) * n; i++) {
                    sum += (scores[i] - centre[c]) * (scores[i] - centre[c]);
                }
            }
            return sum / scores.length;
        }

        double slopeExcess(double[] centre) {
            double sum = 0;
            double expected = targetScore;
            for (int c = 0; c < classes; c++) {
                for (int i = c * n; i < (c + 1) * n; i++) {
                    sum += probabilities[i] * (scores[i] - centre[c]);
                }
                expected -= targets[c] * centre[c];
            }
            return sum / n - expected;
        }

        /** Returns the mean of p_c p_d. */
        double indecision(int c, int d) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += probabilities[c * n + j] * probabilities[d * n + j];
            }
            return sum / n;
        }

        /** Returns the mean of p_c p_d (u_c - u_d). */
        double gap(int c, int d) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += probabilities[c * n + j] * probabilities[d * n + j] * (scores[c * n + j] - scores[d * n + j]);
            }
            return sum / n;
        }

        double loss(double slope, double[] offsets) {
            double[] logs = Logistic.logSum(scaled(slope, offsets), classes, n);
            double sum = 0;
            for (double log : logs) {
                sum += log;
            }
            return sum / n - slope * targetScore - Vectors.dot(targets, offsets, classes);
        }
    }
}
