package holdfast.rounds;

import holdfast.aggregate.Aggregate;

/**
 * A round's replies and the rule's result.
 *
 * @param momenta the workers' averaged updates, see {@link TrainingState#momenta()}
 * @param norms by worker, NaN if it has no valid update
 */
record RoundOutcome(ValidatedReplies replies, Aggregate aggregate, double[] momenta, double[] norms) {}
