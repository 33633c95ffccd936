package holdfast.rounds;

import holdfast.math.Vectors;
import java.util.Optional;

/** Recognises a run that has diverged. */
final class Divergence {
    /** A run has diverged if its objective is this many times the first one. */
    private static final double GREW = 10;

    /**
     * The objective falls without bound if it is this many times the first one below zero. Losses are never negative,
     * except Poisson's, whose smallest value depends on the counts.
     */
    private static final double FELL = 1000;

    private Divergence() {}

    /**
     * Says how a round diverged, if it did.
     *
     * @param state before the round
     * @param theta after it
     * @param objective at the state; NaN in a round without a check
     * @param endsGrowth whether an objective that grows many times over ends the run
     */
    static Optional<String> of(TrainingState state, double[] theta, double objective, boolean endsGrowth) {
        double first = state.firstObjective();
        boolean grown = endsGrowth && objective > GREW * Math.max(first, 1);
        boolean fallen = objective < -FELL * Math.max(Math.abs(first), 1);
        if (grown || fallen) {
            return Optional.of("the objective " + (grown ? "grew" : "fell") + " from " + first + " to " + objective);
        }
        return Vectors.finite(theta) ? Optional.empty() : Optional.of("the parameters are no longer finite");
    }
}
