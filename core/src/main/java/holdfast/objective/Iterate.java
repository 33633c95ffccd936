package holdfast.objective;

/**
 * Where an objective is asked for its value and gradient.
 *
 * @param round 0, 1, ...
 * @param early whether the run is in its {@link FirstStage}
 * @param theta the parameters; must not be written
 * @param duals the objective's own variables, see {@link Objective#startDuals()}; empty if it has none; must not be
 *     written
 */
public record Iterate(int round, boolean early, double[] theta, double[] duals) {
    private static final double[] NONE = {};

    /** Parameters in a round that is not in a first stage. */
    public Iterate(int round, double[] theta, double[] duals) {
        this(round, false, theta, duals);
    }

    /** Parameters in round 0, for an objective without variables of its own. */
    public static Iterate of(double[] theta) {
        return new Iterate(0, theta, NONE);
    }

    /** Returns the same round and duals with other parameters, for a worker's own steps. */
    public Iterate withTheta(double[] other) {
        return new Iterate(round, early, other, duals);
    }
}
