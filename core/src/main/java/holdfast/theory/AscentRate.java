package holdfast.theory;

import holdfast.Check;

/**
 * How fast the ascent z &lt;- z + eta_z grad g(z) on g(z) = f(theta; z) - lambda c(z, x) approaches the worst case z*:
 * ||z_T - z*|| &lt;= p^T ||z_0 - z*|| (Section VI.D of the paper).
 *
 * <p>g is (lambda - L_zz)-strongly concave and (lambda L_c + L_zz)-smooth, hence p = max(|1 - eta_z (lambda - L_zz)|, |1
 * - eta_z (lambda L_c + L_zz)|). If f is convex in z, the Hessian of f has no negative eigenvalue, and lambda L_c
 * replaces lambda L_c + L_zz. The paper's eta_z = 2/(lambda L_c + lambda) gives its p = (2 L_zz + lambda L_c -
 * lambda)/(lambda L_c + lambda). With L_c = 1 that is eta_z = 1/lambda and p = L_zz/lambda. A shorter step is slower:
 * with lambda = 3 and eta_z = 0.05, p &gt;= 0.85 whatever L_zz is.
 *
 * @param factor p; the ascent is sure to converge for p &lt; 1
 */
public record AscentRate(double factor) {
    public AscentRate {
        Check.that(factor >= 0, "the factor of an ascent must be >= 0, got %s", factor);
    }

    /**
     * Returns the rate of the ascent with steps of any length.
     *
     * @param lambda the price
     * @param costSmoothness L_c of the cost; 1 for (1/2)||z - x||^2
     * @param zz L_zz
     * @param step eta_z
     * @param convex whether f is convex in z
     */
    public static AscentRate of(double lambda, double costSmoothness, double zz, double step, boolean convex) {
        Check.that(lambda > 0, "the price must be > 0, got %s", lambda);
        Check.that(zz >= 0, "L_zz must be >= 0, got %s", zz);
        Check.that(step > 0, "the step of an ascent must be > 0, got %s", step);
        double curved = lambda * costSmoothness + (convex ? 0 : zz);
        return new AscentRate(Math.max(Math.abs(1 - step * (lambda - zz)), Math.abs(1 - step * curved)));
    }

    /** Returns the rate with the paper's step 2/(lambda L_c + lambda). */
    public static AscentRate papers(double lambda, double costSmoothness, double zz) {
        return of(lambda, costSmoothness, zz, papersStep(lambda, costSmoothness), false);
    }

    /** eta_z = 2/(lambda L_c + lambda). */
    public static double papersStep(double lambda, double costSmoothness) {
        return 2 / (lambda * costSmoothness + lambda);
    }

    /** Returns whether the ascent is sure to converge. */
    public boolean converges() {
        return factor < 1;
    }

    /**
     * Returns T_z &gt;= ln(D_z/epsilon)/ln(1/p), the number of steps that are sure to reach a precision; infinite if the
     * ascent may not converge.
     *
     * @param distance D_z = ||z_0 - z*||, or more
     * @param epsilon the precision
     */
    public double steps(double distance, double epsilon) {
        Check.that(epsilon > 0, "the precision must be > 0, got %s", epsilon);
        if (distance <= epsilon) {
            return 0;
        }
        return converges()
                ? Math.max(1, Math.ceil(Math.log(distance / epsilon) / -Math.log(factor)))
                : Double.POSITIVE_INFINITY;
    }
}
