package holdfast.objective;

import holdfast.Check;
import holdfast.model.Model;

/**
 * The worst case over Q with (1/2) mean (dQ/dP - 1)^2 &lt;= radius: the mean loss plus sqrt(2 radius) standard deviations
 * while no weight would be negative (Namkoong, Duchi 2017). Its root does not average over workers; the least value over
 * t and mu &gt; 0 of mean [t + mu (radius + 1/2) + (f - t)_+^2 / (2 mu)] is the same number and does. The row's weight is
 * (f - t)_+ / mu.
 *
 * @param radius above 0
 */
public record ChiSquareBall(double radius) implements ObjectiveFamily {
    public ChiSquareBall {
        Check.that(radius > 0 && Double.isFinite(radius), "chi-square: radius must be finite and > 0, got %s", radius);
    }

    @Override
    public Objective on(Model model, double l2) {
        return new ReweightedLoss(model, new Weights(radius), l2);
    }

    @Override
    public boolean favoursWorst() {
        return true;
    }

    /** The variables are t, mu and nothing; the reports are the slopes in t and mu, and the share of rows beyond t. */
    record Weights(double radius) implements Reweighting {
        @Override
        public int count() {
            return 3;
        }

        @Override
        public void row(double loss, double[] duals, double[] out) {
            double t = duals[0];
            double mu = duals[SCALE];
            double weight = Math.max(0, loss - t) / mu;
            out[VALUE] = t + mu * (radius + 0.5 + weight * weight / 2);
            out[WEIGHT] = weight;
            out[REPORTS] = 1 - weight;
            out[REPORTS + 1] = radius + 0.5 - weight * weight / 2;
            out[REPORTS + 2] = weight > 0 ? 1 : 0;
        }

        @Override
        public double[] first(double mean, double sd) {
            double mu = WIDE * sd / Math.sqrt(2 * radius);
            return new double[] {mean - mu, mu, 0};
        }

        /**
         * The best t and mu for the rows that are beyond t now: with their share p, mean m and variance v, m - t is
         * sqrt(v / ((1 + 2 radius) p - 1)), and mu is p (m - t). If too few rows are beyond t, both fall.
         */
        @Override
        public double[] next(double[] duals, double[] reports) {
            double t = duals[0];
            double mu = duals[SCALE];
            double p = reports[2];
            if (!(p > 0)) {
                return new double[] {t - 2 * mu, mu, 0};
            }
            double above = mu * (1 - reports[0]) / p;
            double v = Math.max(0, 2 * mu * mu * (radius + 0.5 - reports[1]) / p - above * above);
            double left = (1 + 2 * radius) * p - 1;
            double best = left > 0 ? p * Math.sqrt(v / left) : 0;
            double bounded = Math.max(FALL * mu, Math.min(2 * mu, best));
            double next = Math.max(bounded, SHARPEST * Math.abs(t) / (radius + 0.5));
            double move = above - next / p;
            return new double[] {t + Math.max(-2 * next, Math.min(2 * next, move)), next, 0};
        }
    }
}
