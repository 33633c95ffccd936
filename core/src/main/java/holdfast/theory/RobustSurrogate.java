package holdfast.theory;

import holdfast.model.Smoothness;

/**
 * What is proven about phi_lambda(theta; x) = sup over z of f(theta; z) - lambda c(z, x) with c(z, x) = (1/2)||z -
 * x||^2, which the objective F averages.
 */
public final class RobustSurrogate {
    private RobustSurrogate() {}

    /** Assumption 3: the inner problem is strongly concave, lambda &gt; L_zz. */
    public static boolean isConcave(double zz, double lambda) {
        return lambda > zz;
    }

    /** Lemma 1: L_F = L_theta,theta + L_theta,z L_z,theta/(lambda - L_zz); infinite if Assumption 3 fails. */
    public static double objectiveSmoothness(Smoothness s, double lambda) {
        if (!isConcave(s.zz(), lambda)) {
            return Double.POSITIVE_INFINITY;
        }
        return s.thetaTheta() + (lambda == Double.POSITIVE_INFINITY ? 0 : s.thetaZ() * s.zTheta() / (lambda - s.zz()));
    }

    /**
     * Returns a bound on ||z* - x|| when f depends on z through theta.z: |l'(x)| ||theta||/(lambda - L_zz) by strong
     * concavity, and S ||theta||/lambda if S bounds |l'| everywhere; 0 if rows do not move.
     *
     * @param slope bounds |l'| at the row
     * @param anySlope bounds |l'| everywhere; infinite if nothing does
     * @param length ||theta||, without intercepts
     * @param lambda above zz
     */
    public static double farthestMove(double slope, double anySlope, double length, double zz, double lambda) {
        return lambda == Double.POSITIVE_INFINITY || length == 0
                ? 0
                : Math.min(slope * length / (lambda - zz), anySlope * length / lambda);
    }
}
