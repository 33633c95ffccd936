/**
 * The server's side of a round: many updates in, one direction out, though some updates are lies.
 *
 * <p>An {@link holdfast.aggregate.Aggregator} is pure: a {@link holdfast.aggregate.Round} in, an
 * {@link holdfast.aggregate.Aggregate} out, which says who was kept and why. What a rule must remember goes in and out
 * as a {@link holdfast.aggregate.Carry}. A {@link holdfast.aggregate.PreAggregator} changes the updates before a rule
 * sees them; a {@link holdfast.aggregate.MajorityVote} comes before all, where several workers hold the same rows. A new
 * rule is one class here, one line in {@link holdfast.aggregate.Aggregators} and one test that extends
 * {@code AggregatorContract}.
 */
package holdfast.aggregate;
