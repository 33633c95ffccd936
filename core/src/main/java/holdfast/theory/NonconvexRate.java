package holdfast.theory;

import holdfast.Check;

/**
 * Theorem 2, for any loss: after T steps of length eta &lt;= 1/L_F, eq. (7),
 *
 * <pre>
 * (1/T) sum over t &lt; T of ||grad F(theta_t)||^2 &lt;= 2 (F_0 - F*)/(eta (1 - (1+r) C^2) T) + (1 + 1/r) Delta^2/(1 - (1+r) C^2)
 * </pre>
 *
 * for every r with 0 &lt; r &lt; 1/C^2 - 1. Needs C &lt; 1, for norm screening 2 alpha + beta &lt; 1: the paper's
 * alpha &lt; 1/3 follows for beta = alpha only. The r with the least floor is (1-C)/C. It makes the bound 2 (F_0 -
 * F*)/(eta (1-C) T) + (Delta/(1-C))^2.
 *
 * @param step eta. The paper takes 1/L_F; for shorter steps the proof holds with 1/eta in the place of L_F, because
 *     L_F eta^2/2 ||G||^2 &lt;= eta/2 ||G||^2
 * @param error what a round's direction may be off by
 */
public record NonconvexRate(double step, RoundError error) {
    public NonconvexRate {
        Check.that(step > 0 && Double.isFinite(step), "the step must be finite and > 0, got %s", step);
        Check.that(
                error.converges(), "Theorem 2 needs an influence of the liars below 1, got C = %s", error.influence());
    }

    /** Makes the rate with the paper's step, 1/L_F. */
    public static NonconvexRate of(double smoothness, RoundError error) {
        return new NonconvexRate(1 / smoothness, error);
    }

    /** Returns the r with the least floor: (1-C)/C, infinite without liars. */
    public double bestR() {
        return (1 - error.influence()) / error.influence();
    }

    /** Returns the r from which on nothing is said: 1/C^2 - 1, infinite without liars. */
    public double maxR() {
        return 1 / (error.influence() * error.influence()) - 1;
    }

    /**
     * Returns the bound on the mean of ||grad F||^2.
     *
     * @param gap F(theta_0) - F*, or more
     */
    public double bound(double gap, int rounds) {
        return progress(gap, rounds) + floor();
    }

    /** Returns the bound for another r. */
    public double bound(double gap, int rounds, double r) {
        return progress(gap, rounds, r) + floor(r);
    }

    /** Returns the part of the bound that more rounds make smaller. */
    public double progress(double gap, int rounds) {
        requireRounds(gap, rounds);
        return 2 * gap / (step * (1 - error.influence()) * rounds);
    }

    private double progress(double gap, int rounds, double r) {
        requireRounds(gap, rounds);
        return 2 * gap / (step * left(r) * rounds);
    }

    private static void requireRounds(double gap, int rounds) {
        Check.that(rounds >= 1, "the bound is for at least one round, got %d", rounds);
        Check.that(gap >= 0, "F(theta_0) - F* must be >= 0, got %s", gap);
    }

    /** Returns what remains after any number of rounds: (Delta/(1-C))^2. */
    public double floor() {
        double gradient = error.stationaryGradient();
        return gradient * gradient;
    }

    /** Returns the floor for another r. */
    public double floor(double r) {
        return (1 + 1 / r) * error.offset() * error.offset() / left(r);
    }

    /** 1 - (1+r) C^2, which must be above 0. */
    double left(double r) {
        double left = 1 - (1 + r) * error.influence() * error.influence();
        Check.that(r > 0 && left > 0, "r must be above 0 and below %s, got %s", maxR(), r);
        return left;
    }

    /** Returns how many rounds bring the progress part down to a value. */
    public double rounds(double gap, double value) {
        Check.that(value > 0, "the value to reach must be > 0, got %s", value);
        return Math.ceil(progress(gap, 1) / value);
    }
}
