package holdfast.theory;

import holdfast.Check;

/**
 * Theorem 4, for an objective that is L_F-smooth and lambda_F-strongly convex (Assumption 7), and a stronger form of it.
 *
 * <p>The paper's, with eta = 2/(L_F + lambda_F), eq. (9):
 *
 * <pre>
 * ||theta_T - theta*|| &lt;= ((2 L_F C + L_F - lambda_F)/(L_F + lambda_F))^T ||theta_0 - theta*|| + Delta/(lambda_F - L_F C)
 * </pre>
 *
 * It needs C &lt; lambda_F/L_F, for norm screening 2 alpha L_F/lambda_F + beta &lt; 1.
 *
 * <p>The stronger form, with eta = 1/L_F, holds for every C &lt; 1, because ||grad F||^2 &gt;= 2 lambda_F (F - F*) turns
 * each round of Theorem 2's proof into a contraction:
 *
 * <pre>
 * F(theta_T) - F* &lt;= (1 - (1-C) lambda_F/L_F)^T (F(theta_0) - F*) + Delta^2/(2 lambda_F (1-C)^2)
 * </pre>
 *
 * @param smoothness L_F
 * @param convexity lambda_F
 * @param error what a round's direction may be off by
 */
public record StronglyConvexRate(double smoothness, double convexity, RoundError error) {
    public StronglyConvexRate {
        Check.that(
                convexity > 0 && convexity <= smoothness && Double.isFinite(smoothness),
                "strong convexity needs 0 < lambda_F <= L_F, got %s and %s",
                convexity,
                smoothness);
        Check.that(
                error.converges(), "Theorem 4 needs an influence of the liars below 1, got C = %s", error.influence());
    }

    /** Returns whether the paper's form applies: C &lt; lambda_F/L_F. */
    public boolean isPapers() {
        return error.influence() * smoothness < convexity;
    }

    /** Returns the paper's step, 2/(L_F + lambda_F). */
    public double papersStep() {
        return 2 / (smoothness + convexity);
    }

    /** Returns the paper's factor per round on ||theta - theta*||. */
    public double papersFactor() {
        requirePapers();
        return (2 * smoothness * error.influence() + smoothness - convexity) / (smoothness + convexity);
    }

    /** Returns the distance that remains after any number of the paper's steps: Delta/(lambda_F - L_F C). */
    public double distanceFloor() {
        requirePapers();
        return error.offset() / (convexity - smoothness * error.influence());
    }

    /**
     * Returns the paper's bound on ||theta_T - theta*||.
     *
     * @param start ||theta_0 - theta*||, or more
     */
    public double distance(double start, int rounds) {
        return Math.pow(papersFactor(), rounds) * start + distanceFloor();
    }

    /** Returns the step of the stronger form, 1/L_F. */
    public double step() {
        return 1 / smoothness;
    }

    /** Returns the factor per round on F - F*: 1 - (1-C) lambda_F/L_F. */
    public double factor() {
        return 1 - (1 - error.influence()) * convexity / smoothness;
    }

    /** Returns the excess that remains after any number of steps: (Delta/(1-C))^2/(2 lambda_F). */
    public double floor() {
        double gradient = error.stationaryGradient();
        return gradient * gradient / (2 * convexity);
    }

    /**
     * Returns the stronger bound, on F(theta_T) - F*.
     *
     * @param gap F(theta_0) - F*, or more
     */
    public double bound(double gap, int rounds) {
        return Math.pow(factor(), rounds) * gap + floor();
    }

    /** Returns how many rounds bring (factor)^T gap down to a value. */
    public double rounds(double gap, double value) {
        Check.that(value > 0, "the value to reach must be > 0, got %s", value);
        return gap <= value ? 0 : Math.ceil(Math.log(gap / value) / -Math.log(factor()));
    }

    private void requirePapers() {
        Check.that(
                isPapers(),
                "Theorem 4 needs C < lambda_F/L_F = %s, got C = %s",
                convexity / smoothness,
                error.influence());
    }
}
