package holdfast.objective;

import holdfast.Check;
import java.util.function.DoubleSupplier;

/** Decides when an ascent on g(z) = f(theta; z) - lambda c(z, x) stops, and what is then certain about its result. */
final class Ascent {
    private final int mostSteps;
    private final double tolerance;
    private final double concavity;
    private int steps;

    /** @param concavity m such that g is m-strongly concave at this theta; 0 or less if that is not known */
    Ascent(Effort effort, double lambda, double concavity) {
        this.concavity = concavity;
        if (effort instanceof Effort.Precision p) {
            mostSteps = Effort.Precision.MAX_STEPS;
            tolerance = p.epsilon() * (concavity > 0 ? concavity : lambda);
        } else {
            mostSteps = ((Effort.Steps) effort).count();
            tolerance = -1;
        }
    }

    /**
     * Checks the rate for f convex in z and the cost (1/2)||z - x||^2. Every step raises g, or keeps it, exactly for
     * rates up to 2/lambda, however large L_zz is: g(z + eta v) &gt;= g(z) + eta (1 - eta lambda/2) ||v||^2 for v =
     * grad g(z). Beyond that, the ascent diverges.
     */
    static void check(double lambda, double rate) {
        requirePrice(lambda);
        requireRate(rate);
        Check.that(
                rate * lambda < 2,
                "--ascent-rate must be below 2/lambda = %s, or the ascent diverges; got %s",
                2 / lambda,
                rate);
    }

    static void requirePrice(double lambda) {
        Check.that(lambda > 0 && Double.isFinite(lambda), "--lambda must be finite and > 0, got %s", lambda);
    }

    static void requireRate(double rate) {
        Check.that(rate > 0 && Double.isFinite(rate), "--ascent-rate must be finite and > 0, got %s", rate);
    }

    /** @param steepest the longest gradient of g over the rows; evaluated only if it decides */
    boolean stopsAt(DoubleSupplier steepest) {
        return steps++ == mostSteps || tolerance >= 0 && steepest.getAsDouble() <= tolerance;
    }

    /** Whether all steps are done and no gradient can tell how close the result is. */
    boolean endsUncertified() {
        return steps == mostSteps && !(concavity > 0);
    }

    double precision(double steepest) {
        return concavity > 0 ? steepest / concavity : Double.POSITIVE_INFINITY;
    }
}
