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
    }

    /** Steps of one size without momentum. */
    public ServerStep(double learningRate) {
        this(new StepSize.Fixed(learningRate), round -> 1, 0);
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
     * @param velocity v; empty without momentum
     */
    record Moved(double[] theta, double[] velocity) {}

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
        return new Moved(theta, momentum == 0 ? state.velocity() : velocity);
    }

    private double[] velocity(TrainingState state, double[] direction) {
        double[] before = state.velocity();
        return momentum == 0 || before.length == 0
                ? direction
                : Vectors.add(Vectors.scaled(momentum, before), direction);
    }
}
