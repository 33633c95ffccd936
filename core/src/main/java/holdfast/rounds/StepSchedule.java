package holdfast.rounds;

import holdfast.Catalogue;
import holdfast.Check;

/** How the step size changes over the rounds: eta_t = eta c(t), c(0) = 1. Depends only on the round. */
@FunctionalInterface
public interface StepSchedule {
    /** c(t) */
    double factor(int round);

    /** The schedules a plan may name. */
    Catalogue<StepSchedule> CATALOGUE = Catalogue.<StepSchedule>of("schedule")
            .with("constant", "the same step in every round", p -> round -> 1)
            .with("inverse", "1/(1 + t/rounds)", p -> {
                double rounds = positive("inverse", "rounds", p.number("rounds", 100));
                return round -> 1 / (1 + round / rounds);
            })
            .with("root", "1/sqrt(1 + t/rounds)", p -> {
                double rounds = positive("root", "rounds", p.number("rounds", 100));
                return round -> 1 / Math.sqrt(1 + round / rounds);
            })
            .with("steps", "multiplied by factor after each period of rounds, whose length is every", p -> {
                int every = p.integer("every", 100);
                Check.that(every >= 1, "--schedule steps: every must be at least 1, got %d", every);
                double factor = positive("steps", "factor", p.number("factor", 0.5));
                return round -> StrictMath.pow(factor, round / every);
            });

    private static double positive(String name, String key, double value) {
        Check.that(
                value > 0 && Double.isFinite(value),
                "--schedule %s: %s must be finite and > 0, got %s",
                name,
                key,
                value);
        return value;
    }
}
