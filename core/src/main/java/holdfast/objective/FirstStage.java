package holdfast.objective;

import holdfast.Check;
import java.util.Optional;

/**
 * The first of the paper's two stages, in which worst cases need not be precise: C ||grad F|| then dominates the error of
 * a round, and L_theta,z epsilon matters only when it no longer does (Section VI.D).
 *
 * @param effort how far workers go in it
 * @param rounds how many rounds it lasts; empty: until the combined update no longer becomes shorter
 */
public record FirstStage(Effort effort, Optional<Integer> rounds) {
    public FirstStage {
        Check.that(
                rounds.isEmpty() || rounds.get() >= 1, "--early-rounds must be auto or >= 1, got %d", rounds.orElse(1));
    }

    /** Lasts until the combined update no longer becomes shorter. */
    public FirstStage(Effort effort) {
        this(effort, Optional.empty());
    }
}
