package holdfast.training;

import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import holdfast.objective.WeightedL2;
import holdfast.plan.Plan;
import holdfast.preparation.RowReach;
import holdfast.theory.RobustSurrogate;

/**
 * The constants of Assumptions 1 and 7 and of Lemma 1 for a plan's objective on its training rows. They
 * depend on the length of the parameters: for most models Assumption 1 holds only on balls.
 *
 * <p>With prices A, slopes and moves of rows are measured in the norms of A^-1 and A, in which the cost is the paper's: L_zz is
 * that of the weights A^(-1/2) theta, and L_theta,z is at most 1/sqrt(a) times the Euclidean one, a the smallest price. Moves and
 * L_theta,z are given in Euclidean norms.
 */
final class ObjectiveConstants {
    /** A ball beyond which no parameters are considered; it keeps the constants finite. */
    static final double MAX_LENGTH = 1e100;

    private static final int BISECTIONS = 2000;

    private final Plan plan;
    private final Model model;
    private final int features;
    private final RowReach reach;
    private final double lambda;
    private final WeightedL2 cost;

    /** Creates the constants of a plan without prices of features. */
    ObjectiveConstants(Plan plan, Model model, int features, RowReach reach) {
        this(plan, model, features, reach, WeightedL2.EQUAL);
    }

    /**
     * Creates the constants of a plan.
     *
     * @param plan a plan in which the box is a number, or that has none
     * @param cost with its prices; any other cost than the paper's counts as equal prices
     */
    ObjectiveConstants(Plan plan, Model model, int features, RowReach reach, WeightedL2 cost) {
        this.plan = plan;
        this.model = model;
        this.features = features;
        this.reach = reach;
        this.lambda = plan.lambda().orElse(Double.POSITIVE_INFINITY);
        this.cost = cost;
    }

    /**
     * The constants where parameters are no longer than some.
     *
     * @param known whether anything bounds the model's gradients in theta; L_zz may be known without
     * @param zz L_zz where rows may move to
     * @param move bounds by how much rows become longer: ||z* - x||, or 0 in a box, which the reach includes
     * @param thetaZ L_theta,z
     * @param smoothness L_F of Lemma 1 and the penalty; infinite if lambda &lt;= L_zz
     * @param convexity lambda_F; 0 if F is not known to be strongly convex
     */
    record Values(boolean known, double zz, double move, double thetaZ, double smoothness, double convexity) {
        /**
         * Returns the longest step that a theorem allows: 2/(L_F + lambda_F) if Theorem 4 applies, else 1/L_F.
         *
         * @param influence C of the rule
         */
        double maxStep(double influence) {
            return isTheorem4(influence) ? 2 / (smoothness + convexity) : 1 / smoothness;
        }

        /** Returns the formula of {@link #maxStep}. */
        String maxStepText(double influence) {
            return isTheorem4(influence) ? "2/(L_F + lambda_F)" : "1/L_F";
        }

        private boolean isTheorem4(double influence) {
            return convexity > 0 && influence * smoothness < convexity;
        }

        /** Whether L_zz has a bound. */
        boolean boundsMoves() {
            return known || zz < Double.POSITIVE_INFINITY;
        }

        private Values unbounded() {
            double none = Double.POSITIVE_INFINITY;
            return new Values(false, none, none, none, none, convexity);
        }

        Values withSmoothness(double other) {
            return new Values(known, zz, move, thetaZ, other, convexity);
        }
    }

    double lambda() {
        return lambda;
    }

    /** Returns a bound on F - F*, where F has this value. */
    double gap(double objective) {
        double least = model.leastLoss(reach.label());
        return objective - (least < 0 ? reach.weight() * least : least);
    }

    /** Returns the constants for parameters whose weights, and whose intercepts, are no longer than these. */
    Values at(double[] theta) {
        return at(theta, model instanceof LinearScores linear ? cost.scaled(theta, linear, features) : theta);
    }

    /** @param scaled theta times A^(-1/2) */
    private Values at(double[] theta, double[] scaled) {
        Smoothness here = model.smoothness(theta, features, reach.radius(), reach.label());
        double zz = zz(scaled, boundsMoves() ? reach.radius() : Double.POSITIVE_INFINITY);
        boolean concave = RobustSurrogate.isConcave(zz, lambda);
        double move = concave ? farthestMove(theta, scaled, zz) : Double.POSITIVE_INFINITY;
        Smoothness moved = model.smoothness(theta, features, reach.radius() + move, reach.label());
        double root = Math.sqrt(cost.least());
        Smoothness priced = new Smoothness(
                moved.thetaTheta(), moved.thetaZ() / root, moved.zTheta() / root, zz(scaled, reach.radius() + move));
        return new Values(
                model instanceof LinearScores || here.thetaTheta() < Double.POSITIVE_INFINITY,
                zz,
                move,
                reach.weight() * moved.thetaZ(),
                concave && reach.isBound()
                        ? reach.weight() * RobustSurrogate.objectiveSmoothness(priced, lambda) + plan.l2()
                        : Double.POSITIVE_INFINITY,
                convexity());
    }

    /** Returns whether something bounds how far rows move, before L_zz is known. */
    private boolean boundsMoves() {
        return model instanceof LinearScores
                || lambda == Double.POSITIVE_INFINITY
                || plan.box(model).bounded();
    }

    /** Whether L_zz has a bound near the rows, though perhaps not wherever they may move to. */
    boolean isSmoothAtRows(double[] theta) {
        return zz(theta, reach.radius()) < Double.POSITIVE_INFINITY;
    }

    private double zz(double[] scaled, double radius) {
        double zz = model.smoothness(scaled, features, radius, reach.label()).zz();
        return model instanceof LinearScores ? zz : zz / cost.least();
    }

    /** Returns the constants for all parameters no longer than a length. */
    Values within(double length) {
        double[] theta = new double[model.parameters(features)];
        if (!(model instanceof LinearScores linear)) {
            theta[0] = length;
            Values here = at(theta);
            // Where L_zz alone is known, it may grow with other weights than this one.
            return here.known ? here : here.unbounded();
        }
        // Two opposite classes are the farthest apart that weights of this length can be.
        if (linear.scoresPerRow() > 1 && features > 0) {
            theta[0] = length / Math.sqrt(2);
            theta[features] = -length / Math.sqrt(2);
        } else if (features > 0) {
            theta[0] = length;
        }
        for (int i = linear.weights(features); i < theta.length; i++) {
            theta[i] = length;
        }
        // The weight of the cheapest feature moves rows most.
        double[] scaled = theta.clone();
        for (int i = 0; i < linear.weights(features); i++) {
            scaled[i] /= Math.sqrt(cost.least());
        }
        return at(theta, scaled);
    }

    /**
     * Returns the length up to which L_zz is at most half of lambda, so that Assumption 3 holds with room to spare; as
     * good as infinite if rows do not move.
     */
    double provenLength() {
        if (lambda == Double.POSITIVE_INFINITY || within(MAX_LENGTH).zz <= lambda / 2) {
            return MAX_LENGTH;
        }
        double low = 0;
        double high = MAX_LENGTH;
        for (int i = 0; i < BISECTIONS && high - low > 1e-12 * high; i++) {
            double middle = low == 0 ? high / 16 : low + (high - low) / 2;
            if (within(middle).zz <= lambda / 2) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The penalty makes F strongly convex if the loss is convex and every parameter is penalised. */
    private double convexity() {
        return model instanceof LinearScores && model.penalised(features) == model.parameters(features) ? plan.l2() : 0;
    }

    /**
     * Returns a bound on ||z* - x||, by which rows can leave the radius. In a box it is 0, because the radius already
     * includes the moves. Nothing bounds the moves if the model is not linear in its scores.
     */
    private double farthestMove(double[] theta, double[] scaled, double zz) {
        if (lambda == Double.POSITIVE_INFINITY || plan.box(model).bounded()) {
            return 0;
        }
        if (!(model instanceof LinearScores linear)) {
            return Double.POSITIVE_INFINITY;
        }
        double length = Vectors.norm(theta, linear.weights(features));
        double score = length * reach.radius() + largestIntercept(linear, theta);
        return RobustSurrogate.farthestMove(
                        linear.slopeBound(score, reach.label()),
                        linear.slopeBound(Double.POSITIVE_INFINITY, reach.label()),
                        Vectors.norm(scaled, linear.weights(features)),
                        zz,
                        lambda)
                / Math.sqrt(cost.least());
    }

    private double largestIntercept(LinearScores linear, double[] theta) {
        double largest = 0;
        for (int score = 0; score < linear.scoresPerRow(); score++) {
            largest = Math.max(largest, Math.abs(linear.intercept(theta, features, score)));
        }
        return largest;
    }
}
