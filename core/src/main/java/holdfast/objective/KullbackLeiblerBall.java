package holdfast.objective;

import holdfast.Check;
import holdfast.math.Logistic;
import holdfast.model.Model;

/**
 * The worst case over Q with KL(Q, P) &lt;= radius in which no row counts more than {@value #MOST} times (Hu, Hong 2013).
 * Its log-mean-exp does not average over workers; the least value over eta and mu &gt; 0 of mean [eta + mu radius + mu
 * (e^s - 1)], s = (f - eta)/mu, is the same number and does. The row's weight is e^s.
 *
 * <p>Where e^s is above {@value #MOST} it continues as a line: that is the bound on the weights, without which one row
 * whose loss rises in a step could throw the run.
 *
 * @param radius above 0
 */
public record KullbackLeiblerBall(double radius) implements ObjectiveFamily {
    /** The largest weight of a row, relative to its own. */
    static final double MOST = 100;

    public KullbackLeiblerBall {
        Check.that(radius > 0 && Double.isFinite(radius), "kl: radius must be finite and > 0, got %s", radius);
    }

    @Override
    public Objective on(Model model, double l2) {
        return new ReweightedLoss(model, new Weights(radius), l2);
    }

    @Override
    public boolean favoursWorst() {
        return true;
    }

    /** The variables are eta and mu; the reports are the slopes in them. */
    record Weights(double radius) implements Reweighting {
        private static final double LIMIT = StrictMath.log(MOST);
        private static final double FARTHEST = 16;

        @Override
        public int count() {
            return 2;
        }

        @Override
        public void row(double loss, double[] duals, double[] out) {
            double mu = duals[SCALE];
            double s = (loss - duals[0]) / mu;
            double weight = s < LIMIT ? Logistic.exp(s) : MOST;
            double gain = weight * (1 + Math.max(0, s - LIMIT)) - 1;
            out[VALUE] = duals[0] + mu * (radius + gain);
            out[WEIGHT] = weight;
            out[REPORTS] = 1 - weight;
            out[REPORTS + 1] = radius + gain - weight * s;
        }

        @Override
        public double[] first(double mean, double sd) {
            double mu = WIDE * sd / Math.sqrt(2 * radius);
            return new double[] {mean + sd * sd / (2 * mu), mu};
        }

        /**
         * eta is the best for this mu, unless weights are at their bound. The divergence of the weights falls with mu,
         * for normal losses by its square, so mu is multiplied by the fourth root of divergence over radius: half of a
         * Newton step in log mu then, and still no overshooting for heavy tails.
         */
        @Override
        public double[] next(double[] duals, double[] reports) {
            double mu = duals[SCALE];
            double weights = Math.max(Math.ulp(1.0), 1 - reports[0]);
            double tilt = radius - reports[0] - reports[1];
            double divergence = tilt / weights - StrictMath.log(weights);
            double ratio = Math.max(0, Math.min(FARTHEST, divergence / radius));
            double eta = duals[0] + mu * StrictMath.log(weights);
            double next = mu * Math.max(FALL, Math.sqrt(Math.sqrt(ratio)));
            return new double[] {eta, Math.max(next, SHARPEST * Math.abs(eta) / radius)};
        }
    }
}
