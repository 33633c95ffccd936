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
                length.remembers()
                        ? StepSize.Change.of(state.step().size(), state.velocity(), direction)
                        : StepSize.Change.NONE);
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
     */
    record Moved(double[] theta, double[] velocity) {}

    /** Takes back the part of the last step beyond a shorter length. */
    static Moved takeBack(TrainingState state, double size) {
        double[] theta = state.theta();
        Vectors.addScaled(theta, state.step().size() - size, state.velocity(), theta.length);
        return new Moved(theta, state.velocity());
    }

    /**
     * Moves the parameters.
     *
     * @param size eta c(t)
     * @param direction G, from the rule
     */
    Moved move(TrainingState state, double size, double[] direction) {
        double[] velocity = velocity(state, direction);
        double[] theta = state.theta();
        Vectors.addScaled(theta, -size, velocity, theta.length);
        return new Moved(theta, momentum > 0 || length.remembers() ? velocity : state.velocity());
    }

    private double[] velocity(TrainingState state, double[] direction) {
        double[] before = state.velocity();
        return momentum == 0 || before.length == 0
                ? direction
                : Vectors.add(Vectors.scaled(momentum, before), direction);
    }
}
