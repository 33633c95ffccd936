package holdfast.rounds;

import holdfast.objective.Iterate;

/**
 * What the server asks all workers.
 *
 * @param at round, parameters and the objective's own variables; must not be written
 * @param withLoss whether the value of the objective is wanted too
 */
public record RoundRequest(Iterate at, boolean withLoss) {
    /** A request for an objective without variables of its own. */
    public RoundRequest(int round, double[] theta, boolean withLoss) {
        this(new Iterate(round, theta, new double[0]), withLoss);
    }

    /** Returns the same request without asking for the objective. */
    public RoundRequest withoutLoss() {
        return new RoundRequest(at, false);
    }

    public int round() {
        return at.round();
    }

    public double[] theta() {
        return at.theta();
    }

    public double[] duals() {
        return at.duals();
    }
}
