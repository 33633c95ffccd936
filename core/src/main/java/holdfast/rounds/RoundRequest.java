package holdfast.rounds;

/**
 * What the server asks all workers.
 *
 * @param round 0, 1, ...
 * @param theta the parameters; not to be written
 * @param withLoss whether the value of the objective is wanted too
 */
public record RoundRequest(int round, double[] theta, boolean withLoss) {}
