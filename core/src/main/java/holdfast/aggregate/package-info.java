/**
 * The server's side of a round: combines many updates into one direction, even if some of the updates are lies.
 *
 * <pre>
 * Round round = Round.of(g1, g2, g3, g4);                       // the updates, by worker id
 * Aggregate made = new NormScreening(1).aggregate(round);       // the paper's Algorithm 1, f = 1
 * made.direction();                                             // G
 * made.kept();                                                  // whose updates count
 * made.explanation();                                           // who was left out, and by what margin
 * </pre>
 *
 * <p>An {@link holdfast.aggregate.Aggregator} is pure: a {@link holdfast.aggregate.Round} in, an
 * {@link holdfast.aggregate.Aggregate} out. What a rule must remember goes in and out as a
 * {@link holdfast.aggregate.Carry}, so a checkpoint is a value and an attack can try a rule without advancing it. Every
 * rule tolerates f = {@link holdfast.aggregate.Aggregator#tolerated()} updates that are arbitrary or missing; it first
 * calls {@link holdfast.aggregate.Aggregator#lies} to find out how many of the updates at hand may be lies.
 *
 * <p>A rule implements further interfaces to say what else it can do. The round loop asks for the interface, never for
 * a particular rule:
 *
 * <ul>
 *   <li>{@link holdfast.aggregate.NormRule}: decides by norms alone. Workers that keep their updates then send
 *       norms and one sum. {@link holdfast.aggregate.NormScreening} and {@link holdfast.aggregate.NormClipping} are
 *       such rules.
 *   <li>{@link holdfast.aggregate.ReplicaAgreement}: several workers hold the same rows and agree on what they
 *       send. {@link holdfast.aggregate.MajorityVote} comes before another rule and does this.
 *   <li>{@link holdfast.aggregate.Aggregator#needsTrusted()}: the server's own gradient is part of the round.
 * </ul>
 *
 * <p>A {@link holdfast.aggregate.PreAggregator} changes the updates before a rule sees them. A new rule is one class
 * here, one line in {@link holdfast.aggregate.Aggregators} and one test that extends {@code AggregatorContract}.
 */
package holdfast.aggregate;
