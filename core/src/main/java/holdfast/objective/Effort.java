package holdfast.objective;

import holdfast.Check;
import java.util.Optional;

/** How far an iterative maximiser goes. */
public sealed interface Effort {

    /** A fixed number T_z of ascent steps. */
    record Steps(int count) implements Effort {
        public Steps {
            Check.that(count >= 0, "--ascent-steps must be >= 0, got %d", count);
        }
    }

    /**
     * Until ||z - z*|| &lt;= epsilon is certain: g = f - lambda c is (lambda - L_zz)-strongly concave when lambda &gt;
     * L_zz, hence ||z - z*|| &lt;= ||grad g(z)|| / (lambda - L_zz). Where lambda &lt;= L_zz nothing can be certified
     * this way; the ascent then stops at ||grad g|| &lt;= lambda epsilon and says that it is not certain.
     */
    record Precision(double epsilon) implements Effort {
        /** Reached only if the ascent crawls or does not converge at all. */
        static final int MAX_STEPS = 10_000;

        public Precision {
            Check.that(epsilon > 0 && Double.isFinite(epsilon), "--precision must be finite and > 0, got %s", epsilon);
        }
    }

    /**
     * Checks that the effort of a first stage is less than that of the second.
     *
     * @param second of the same kind
     */
    default void requireLessThan(Effort second) {
        if (this instanceof Steps own) {
            int later = ((Steps) second).count();
            Check.that(
                    own.count < later, "--early-steps must be below --ascent-steps, got %d and %d", own.count, later);
        } else {
            double early = ((Precision) this).epsilon();
            double later = ((Precision) second).epsilon();
            Check.that(early > later, "--early-precision must be above --precision, got %s and %s", early, later);
        }
    }

    /** Returns the effort that two settings make, of which at most one may be given. */
    static Optional<Effort> given(String steps, Optional<Integer> count, String precision, Optional<Double> epsilon) {
        Check.that(count.isEmpty() || epsilon.isEmpty(), "give %s or %s, not both", steps, precision);
        return count.<Effort>map(Steps::new).or(() -> epsilon.map(Precision::new));
    }

    /** Returns the number of steps of an effort that has one. */
    static Optional<Integer> steps(Optional<Effort> effort) {
        return effort.map(e -> e instanceof Steps s ? s.count() : null);
    }

    /** Returns the precision of an effort that has one. */
    static Optional<Double> precision(Optional<Effort> effort) {
        return effort.map(e -> e instanceof Precision p ? p.epsilon() : null);
    }

    /** Which effort in which of two stages. */
    @FunctionalInterface
    interface Schedule {
        /** @param early whether the run is in its {@link FirstStage} */
        Effort at(boolean early);
    }

    static Schedule always(Effort effort) {
        return early -> effort;
    }

    /** The paper's two-stage strategy: little effort while the liars' influence dominates, full effort at the end. */
    static Schedule twoStage(Effort first, Effort second) {
        return early -> early ? first : second;
    }
}
