package holdfast.theory;

import holdfast.Check;

/**
 * How far the direction G of a round may be from the gradient of F: ||G - grad F|| &lt;= C ||grad F|| + Delta. This is
 * all that Theorems 2 to 4 need to know about the rule, the liars, the differences between workers and the precision of
 * the worst cases.
 *
 * @param influence C, the liars' influence; the theorems need C &lt; 1
 * @param offset Delta, which decides how close to a minimum a run comes
 */
public record RoundError(double influence, double offset) {
    public RoundError {
        Check.that(influence >= 0, "the liars' influence must be >= 0, got %s", influence);
        Check.that(offset >= 0, "the offset of a round must be >= 0, got %s", offset);
    }

    /**
     * Lemma 2, eq. (6), for any rule with a bound: C ||grad F|| + A (L_theta,z epsilon + sigma). The workers' gradients
     * at z are within L_theta,z epsilon of those at z*, and these are within sigma of grad F.
     *
     * @param bound of the rule; norm screening has C = 2 alpha/(1-beta) and A = 1
     * @param thetaZ L_theta,z
     * @param sigma max over honest i of ||g_i* - grad F||, with g_i* the gradient at the exact worst cases. The paper's
     *     Assumption 4 has the maximum over rows instead of workers, which is never smaller
     * @param epsilon bounds ||z - z*||; 0 for exact worst cases
     */
    public static RoundError of(ErrorBound bound, double thetaZ, double sigma, double epsilon) {
        Check.that(sigma >= 0, "sigma must be >= 0, got %s", sigma);
        Check.that(epsilon >= 0 && thetaZ >= 0, "L_theta,z and epsilon must be >= 0, got %s and %s", thetaZ, epsilon);
        double inexact = epsilon == 0 ? 0 : thetaZ * epsilon;
        return new RoundError(bound.influence(), bound.spread() * (inexact + sigma));
    }

    /** Returns ||G - grad F|| at most, where the gradient has this length. */
    public double at(double gradient) {
        return influence * gradient + offset;
    }

    /** Returns whether the theorems apply: C &lt; 1. */
    public boolean converges() {
        return influence < 1;
    }

    /** Returns the length from which on G descends for certain: Delta/(1-C); infinite if C &gt;= 1. */
    public double stationaryGradient() {
        return converges() ? offset / (1 - influence) : Double.POSITIVE_INFINITY;
    }
}
