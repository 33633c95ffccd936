package holdfast.rounds;

import holdfast.Check;
import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.objective.FirstStage;
import holdfast.objective.Objective;
import java.util.Optional;

/**
 * Everything that decides a {@link TrainingLoop} besides its workers.
 *
 * @param rule combines the workers' updates
 * @param objective what the workers minimise; the loop asks it for the start and the steps of its own variables
 * @param start theta before round 0
 * @param rounds the maximum number of rounds
 * @param step the server's step
 * @param workerMomentum averages each worker's updates over the rounds
 * @param stopping ends a run early
 * @param firstStage the first of two stages, in which workers make less effort
 * @param attack who lies, in a simulation
 * @param trusted answers for the server's own trusted rows
 * @param seed for rules and attacks that draw random numbers
 * @param advice what to change when training diverges
 */
public record LoopSettings(
        Aggregator rule,
        Objective objective,
        double[] start,
        int rounds,
        ServerStep step,
        WorkerMomentum workerMomentum,
        StoppingRule stopping,
        Optional<FirstStage> firstStage,
        SimulatedAttack attack,
        Optional<Worker> trusted,
        Seed seed,
        String advice) {
    public LoopSettings {
        start = start.clone();
        Check.that(rounds >= 0, "--rounds must be at least 0, got %d", rounds);
    }

    /** Settings for plain steps over a fixed number of rounds, without a simulated attack. */
    public LoopSettings(Aggregator rule, Objective objective, double[] start, int rounds, ServerStep step) {
        this(
                rule,
                objective,
                start,
                rounds,
                step,
                WorkerMomentum.NONE,
                StoppingRule.NEVER,
                Optional.empty(),
                SimulatedAttack.NONE,
                Optional.empty(),
                Seed.of(1),
                "use a smaller learning rate (now " + step.length().first() + "), or a rule that tolerates more liars");
    }

    /** Returns whether workers are asked for the objective in a round: for the stopping rule, or for the step. */
    boolean asksForObjective(int round) {
        return stopping.checks(round) || step.length().asks(round);
    }

    /** Returns whether the round that starts from a state is in the first stage. */
    boolean isEarly(TrainingState state) {
        return firstStage.isPresent()
                && firstStage
                        .get()
                        .rounds()
                        .map(rounds -> state.round() < rounds)
                        .orElse(state.stage().early());
    }

    /** Returns whether a first stage ends by itself. */
    boolean endsFirstStage() {
        return firstStage.isPresent() && firstStage.get().rounds().isEmpty();
    }

    /** A copy. */
    @Override
    public double[] start() {
        return start.clone();
    }
}
