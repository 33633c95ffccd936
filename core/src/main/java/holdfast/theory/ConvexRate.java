package holdfast.theory;

import holdfast.Check;

/**
 * Theorem 3, for losses convex in theta: after T steps of length eta &lt;= 1/L_F, eq. (8),
 *
 * <pre>
 * F(theta_T) - F* &lt;= max{ 4 D^2/(eta (1 - (1+r) C^2) T),
 *                         sqrt(2 (1+1/r)/(1 - (1+r) C^2)) D Delta + eta (1 + 1/r) Delta^2/2 }
 * </pre>
 *
 * with r as in {@link NonconvexRate}; with its best r this is max{4 D^2/(eta (1-C) T), sqrt(2) D Delta/(1-C) + eta
 * Delta^2/(2 (1-C))}.
 *
 * @param rate the same steps as Theorem 2 sees them
 * @param distance D, which bounds ||theta_t - theta*|| in all rounds (Assumption 6: D = k ||theta_0 - theta*||)
 */
public record ConvexRate(NonconvexRate rate, double distance) {
    public ConvexRate {
        Check.that(distance >= 0, "the distance from the minimum must be >= 0, got %s", distance);
    }

    /** Returns the bound on F(theta_T) - F*. */
    public double bound(int rounds) {
        return Math.max(progress(rounds, 1 - influence()), floor());
    }

    /** Returns the bound for another r. */
    public double bound(int rounds, double r) {
        return Math.max(progress(rounds, rate.left(r)), floor(1 + 1 / r, rate.left(r)));
    }

    /** Returns what remains after any number of rounds. */
    public double floor() {
        return floor(1 / (1 - influence()), 1 - influence());
    }

    private double progress(int rounds, double left) {
        Check.that(rounds >= 1, "the bound is for at least one round, got %d", rounds);
        return 4 * distance * distance / (rate.step() * left * rounds);
    }

    private double floor(double more, double left) {
        double offset = rate.error().offset();
        return Math.sqrt(2 * more / left) * distance * offset + rate.step() * more * offset * offset / 2;
    }

    private double influence() {
        return rate.error().influence();
    }
}
