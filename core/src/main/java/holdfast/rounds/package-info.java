/**
 * The round loop, its workers and its state. It knows no plan: the caller gives it objects.
 *
 * <pre>
 * List&lt;Worker&gt; workers = ...                                       // one per shard, all with the same objective
 * try (WorkerPool pool = new InProcessPool(workers, 2)) {
 *     TrainingLoop loop = new TrainingLoop(
 *             new LoopSettings(new NormScreening(2), objective, new double[d], 100, new ServerStep(0.5)), pool);
 *     TrainingState end = loop.run(loop.start(), record -&gt; System.out.println(record.explanation()));
 * }
 * </pre>
 *
 * <p>One round of {@link holdfast.rounds.TrainingLoop#next} is Algorithm 2 in stages, each a small class that knows no
 * particular rule:
 *
 * <pre>
 * ask               WorkerPool: one reply per worker; Worker answers with its Objective on its shard   lines 2 to 9
 * worker momentum   WorkerMomentum: averages of each worker's updates in the place of updates
 * simulated attack  SimulatedAttack: liars replace what they would have sent                           line 6, i in B
 * validation        ValidatedReplies: what cannot be used becomes a Fault
 * aggregation       Aggregator: the direction G                                                        line 10
 * step              ServerStep: theta - eta c(t) v; Objective.nextDuals for its own variables          line 11
 * stopping rule     StoppingRule; Divergence ends a run that is not coming back
 * record            RoundRecord to the listener, with the next TrainingState
 * </pre>
 *
 * <p>There is one loop for every engine. An engine is a {@link holdfast.rounds.WorkerPool}; if its workers can keep
 * their updates, it is a {@link holdfast.rounds.TwoPhasePool}, and a rule that decides by norms then asks for norms and
 * one sum. The result is the same, to the bit, as in one phase.
 *
 * <p>{@link holdfast.rounds.TrainingState} is a value and holds everything the next round depends on: a checkpoint is
 * this value, and resuming is starting from it. Randomness is derived from the seed by name, so nothing depends on
 * threads, the order of arrival or time.
 *
 * <p>The objective is F(theta) = (1/m) sum over workers of the mean robust loss on the worker's own shard: with uneven
 * shards every worker counts the same, not every row.
 */
package holdfast.rounds;
