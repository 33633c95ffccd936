package holdfast.rounds;

import holdfast.Check;
import holdfast.math.Vectors;

/**
 * The server's step theta &lt;- theta - eta c(t) v (Algorithm 2, line 11), where v = G or, with momentum, v &lt;-
 * momentum v + G.
 *
 * @param learningRate eta
 * @param schedule c
 * @param momentum from 0, which is none, to below 1
 */
public record ServerStep(double learningRate, StepSchedule schedule, double momentum) {
    public ServerStep {
        Check.that(
                learningRate > 0 && Double.isFinite(learningRate),
                "the learning rate must be finite and > 0, got %s",
                learningRate);
        Check.that(momentum >= 0 && momentum < 1, "server momentum must be at least 0 and below 1, got %s", momentum);
    }

    /** Steps of one size without momentum. */
    public ServerStep(double learningRate) {
        this(learningRate, round -> 1, 0);
    }

    /** eta c(t) */
    public double size(int round) {
        return learningRate * schedule.factor(round);
    }

    /**
     * Parameters after a step.
     *
     * @param velocity v; empty without momentum
     */
    record Moved(double[] theta, double[] velocity) {}

    /** @param direction G, from the rule */
    Moved move(TrainingState state, double[] direction) {
        double[] velocity = velocity(state, direction);
        double[] theta = state.theta();
        Vectors.addScaled(theta, -size(state.round()), velocity, theta.length);
        return new Moved(theta, momentum == 0 ? state.velocity() : velocity);
    }

    private double[] velocity(TrainingState state, double[] direction) {
        double[] before = state.velocity();
        return momentum == 0 || before.length == 0
                ? direction
                : Vectors.add(Vectors.scaled(momentum, before), direction);
    }
}
