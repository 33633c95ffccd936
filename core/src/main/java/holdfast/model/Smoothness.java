package holdfast.model;

import holdfast.Check;

/**
 * The Lipschitz constants of Assumption 1: of grad_theta f in theta and in z, and of grad_z f in theta and in z.
 */
public record Smoothness(double thetaTheta, double thetaZ, double zTheta, double zz) {
    /** Nothing is known: no constant bounds anything. */
    public static final Smoothness UNKNOWN = new Smoothness(
            Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    public Smoothness {
        Check.that(
                thetaTheta >= 0 && thetaZ >= 0 && zTheta >= 0 && zz >= 0,
                "smoothness constants must be >= 0, got %s %s %s %s",
                thetaTheta,
                thetaZ,
                zTheta,
                zz);
    }
}
