package holdfast.objective;

/**
 * Where an objective is asked for its value and gradient.
 *
 * @param round 0, 1, ...
 * @param theta the parameters; not to be written
 * @param duals the objective's own variables, see {@link Objective#startDuals()}; empty if it has none; not to be written
 */
public record Iterate(int round, double[] theta, double[] duals) {
    private static final double[] NONE = {};

    /** Parameters in round 0, for an objective without variables of its own. */
    public static Iterate of(double[] theta) {
        return new Iterate(0, theta, NONE);
    }

    /** The same round and duals with other parameters, as a worker's own steps lead to. */
    public Iterate withTheta(double[] other) {
        return new Iterate(round, other, duals);
    }
}
