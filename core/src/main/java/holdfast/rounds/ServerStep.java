package holdfast.rounds;

import holdfast.Check;
import holdfast.math.Vectors;

/**
 * The server's step theta &lt;- theta - eta c(t) v (Algorithm 2, line 11), where v = G or, with momentum, v &lt;-
 * momentum v + G.
 *
 * @param length eta, which may change from round to round
 * @param schedule c
 * @param momentum from 0, which is none, to below 1
 */
public record ServerStep(StepSize length, StepSchedule schedule, double momentum) {
    public ServerStep {
        Check.that(momentum >= 0 && momentum < 1, "server momentum must be at least 0 and below 1, got %s", momentum);
        Check.that(
                momentum == 0 || !length.remembers(),
                "spectral steps are for directions without server momentum, got %s",
                momentum);
    }

    /** Steps of one size without momentum. */
    public ServerStep(double learningRate) {
        this(new StepSize.Fixed(learningRate), round -> 1, 0);
    }

    /** Returns eta of a round that starts from a state. */
    StepSize.Current next(TrainingState state, double objective, double[] direction) {
        return length.next(
                state.step(),
                objective,
                turns()
                        ? memory(state).change(direction)
                        : length.remembers()
                                ? StepSize.Change.of(state.step().size(), state.velocity(), direction)
                                : StepSize.Change.NONE);
    }

    private boolean turns() {
        return !Double.isNaN(length.shortestTurned());
    }

    private static CurvatureMemory memory(TrainingState state) {
        return CurvatureMemory.read(state.velocity(), state.sharedTheta().length);
    }

    /**
     * Returns eta c(t).
     *
     * @param length eta of the round
     */
    public double size(StepSize.Current length, int round) {
        return length.size() * schedule.factor(round);
    }

    /**
     * Parameters after a step.
     *
     * @param velocity v; empty if nothing depends on it
     * @param step eta of the step that was taken
     */
    record Moved(double[] theta, double[] velocity, StepSize.Current step) {}

    /** Takes back the part of the last step beyond a shorter length. */
    Moved takeBack(TrainingState state, StepSize.Current shorter) {
        double size = shorter.size();
        double[] theta = state.theta();
        if (turns()) {
            CurvatureMemory memory = memory(state);
            double kept = size / state.step().size();
            Vectors.addScaled(theta, kept - 1, memory.step(), theta.length);
            return new Moved(
                    theta,
                    memory.withoutPairs()
                            .after(memory.direction(), Vectors.scaled(kept, memory.step()))
                            .numbers(),
                    shorter);
        }
        Vectors.addScaled(theta, state.step().size() - size, state.velocity(), theta.length);
        return new Moved(theta, state.velocity(), shorter);
    }

    /**
     * Moves the parameters.
     *
     * @param step eta of the round
     * @param direction G, from the rule
     */
    Moved move(TrainingState state, StepSize.Current step, double[] direction) {
        double size = size(step, state.round());
        if (turns()) {
            boolean rose = step.objective() > state.step().objective();
            CurvatureMemory memory =
                    rose ? memory(state).withoutPairs() : memory(state).withPair(direction);
            double[] turned = memory.turned(direction, step.size(), length.shortestTurned());
            double[] taken = Vectors.scaled(-size / step.size(), turned);
            double norm = Vectors.norm(direction);
            double eta = norm > 0 ? Vectors.norm(turned) / norm : step.size();
            return new Moved(
                    Vectors.add(state.theta(), taken),
                    memory.after(direction, taken).numbers(),
                    step.withSize(eta));
        }
        double[] velocity = velocity(state, direction);
        double[] theta = state.theta();
        Vectors.addScaled(theta, -size, velocity, theta.length);
        return new Moved(theta, momentum > 0 || length.remembers() ? velocity : state.velocity(), step);
    }

    private double[] velocity(TrainingState state, double[] direction) {
        double[] before = state.velocity();
        return momentum == 0 || before.length == 0
                ? direction
                : Vectors.add(Vectors.scaled(momentum, before), direction);
    }
}
