package holdfast.objective;

import holdfast.Check;

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

    /** Which effort in which round. */
    @FunctionalInterface
    interface Schedule {
        Effort at(int round);
    }

    static Schedule always(Effort effort) {
        return round -> effort;
    }

    /** The paper's two-stage strategy: little precision while liars' influence dominates, full precision at the end. */
    static Schedule twoStage(Effort early, Effort late, int switchRound) {
        return round -> round < switchRound ? early : late;
    }
}
