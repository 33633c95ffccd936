package holdfast.rounds;

import holdfast.aggregate.Aggregate;

/**
 * A round's replies and what the rule made of them.
 *
 * @param momenta what the workers' momentum has gathered, see {@link TrainingState#momenta()}
 * @param norms by worker, NaN where there is no valid update
 */
record RoundOutcome(ValidatedReplies replies, Aggregate aggregate, double[] momenta, double[] norms) {}
