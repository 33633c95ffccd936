package holdfast.evaluation;

import holdfast.preparation.AcrossSources;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Chooses the threshold with the largest F1 on rows of several sources. For each threshold, the shares of a source's rows
 * that are found, flagged in error and missed are combined {@link AcrossSources}; F1 is that of the combined shares. So each
 * share is between those of the honest sources, if more than 2f sources have rows and at most f lie.
 */
public final class ThresholdChoice {
    /** Thresholds are multiples of 1/1000. */
    private static final int STEPS = 1000;

    private ThresholdChoice() {}

    /**
     * Returns the threshold; of several that are equally good, the one in the middle. Empty if no row of the second class
     * would be found.
     */
    public static OptionalDouble largestF1(List<ScoredSource> sources, Calibration calibration, AcrossSources across) {
        double[][][] flagged = sources.stream()
                .map(source -> flaggedShares(source, calibration))
                .toArray(double[][][]::new);
        List<Integer> best = new ArrayList<>();
        double most = 0;
        for (int t = 1; t < STEPS; t++) {
            double[] found = new double[flagged.length];
            double[] alarms = new double[flagged.length];
            double[] missed = new double[flagged.length];
            for (int s = 0; s < flagged.length; s++) {
                found[s] = flagged[s][1][t];
                alarms[s] = flagged[s][0][t];
                missed[s] = flagged[s][1][0] - found[s];
            }
            double f1 = new Detection(across.mean(found), across.mean(alarms), across.mean(missed)).f1();
            if (f1 > most) {
                best.clear();
                most = f1;
            }
            if (f1 == most && most > 0) {
                best.add(t);
            }
        }
        return best.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) best.get((best.size() - 1) / 2) / STEPS);
    }

    /** Returns, by label and threshold, the share of all rows with that label that are flagged. */
    private static double[][] flaggedShares(ScoredSource source, Calibration calibration) {
        double[] scores = source.scores();
        double[] labels = source.labels();
        int[][] highest = new int[2][STEPS + 1];
        for (int j = 0; j < labels.length; j++) {
            double p = calibration.probability(scores[j]);
            // The largest multiple that is at most p, by the comparison that predictions make.
            int at = (int) (p * STEPS);
            at = at < STEPS && p >= (double) (at + 1) / STEPS
                    ? at + 1
                    : at > 0 && p < (double) at / STEPS ? at - 1 : at;
            highest[(int) labels[j]][at]++;
        }
        double[][] shares = new double[2][STEPS + 1];
        for (int label = 0; label < 2; label++) {
            int count = 0;
            for (int t = STEPS; t >= 0; t--) {
                count += highest[label][t];
                shares[label][t] = (double) count / labels.length;
            }
        }
        return shares;
    }
}
