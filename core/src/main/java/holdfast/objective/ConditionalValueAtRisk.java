package holdfast.objective;

import holdfast.Check;
import holdfast.model.Model;

/**
 * The mean loss of the worst rows, a share 1 - level of them: the worst case over Q with dQ/dP &lt;= 1/(1 - level). It is
 * the least value over t of mean [t + (f - t)_+ / (1 - level)], and the best t is the loss that this share of the rows
 * exceeds (Rockafellar, Uryasev 2000).
 *
 * <p>Steps need a slope where many losses are near t, so (x)_+ is rounded over |x| &lt;= w to (x + w)^2/(4w). That adds
 * to the value at most w times the weight of the rows there, never more than w. w falls until the rows within w of t are
 * an eighth of those that count, or to a hundredth of t.
 *
 * @param level at least 0, where it is the mean of all rows, and below 1
 */
public record ConditionalValueAtRisk(double level) implements ObjectiveFamily {
    public ConditionalValueAtRisk {
        Check.that(level >= 0 && level < 1, "cvar: level must be at least 0 and below 1, got %s", level);
    }

    @Override
    public Objective on(Model model, double l2) {
        return new ReweightedLoss(model, new Excess(1 / (1 - level)), l2);
    }

    @Override
    public boolean favoursWorst() {
        return level > 0;
    }

    /**
     * The variables are t and w; the reports are the slope in t, and the share of rows within w of t.
     *
     * @param factor what a loss beyond t is multiplied by
     */
    record Excess(double factor) implements Reweighting {
        /** The share of the rows that count which should be within w of t. */
        private static final double NEAR = 1.0 / 8;

        private static final double WIDER = 1.25;

        @Override
        public int count() {
            return 2;
        }

        @Override
        public void row(double loss, double[] duals, double[] out) {
            double t = duals[0];
            double w = duals[SCALE];
            double x = loss - t;
            double counts = Math.max(0, Math.min(1, x / (2 * w) + 0.5));
            out[VALUE] = t + factor * (x >= w ? x : counts * counts * w);
            out[WEIGHT] = factor * counts;
            out[REPORTS] = 1 - factor * counts;
            out[REPORTS + 1] = Math.abs(x) < w ? 1 : 0;
        }

        /** All rows are within w of t, and their weights have the mean 1. */
        @Override
        public double[] first(double mean, double sd) {
            double w = Math.max(WIDE / 2 * sd, SHARPEST * Math.abs(mean));
            return new double[] {mean + w * (1 - 2 / factor), w};
        }

        /**
         * A Newton step in t, unless it is longer than 2w: beyond, the rows within w of t say nothing about the curvature,
         * and t moves the further the steeper the value is, while w grows.
         */
        @Override
        public double[] next(double[] duals, double[] reports) {
            double slope = reports[0];
            double w = duals[SCALE];
            double near = factor * Math.max(0, reports[1]);
            if (slope == 0 && near <= NEAR) {
                return duals;
            }
            double newton = -slope * 2 * w / near;
            boolean far = !(Math.abs(newton) <= 2 * w);
            double t = duals[0] + (far ? -Math.max(-2, slope) * w : newton);
            double wide = w * (far || near <= NEAR ? WIDER : FALL);
            return new double[] {t, Math.max(wide, SHARPEST * Math.abs(t))};
        }
    }
}
