/**
 * The round loop and what surrounds it. Start at {@link holdfast.training.Training}: data and a plan in, a
 * {@link holdfast.training.TrainingRun} out.
 *
 * <pre>
 * Dataset -> PreparedData (split, scaled, one shard per worker)
 * Plan -> model, maximiser, rule, attack
 * TrainingLoop, each round:  WorkerPool.ask(theta) -> replies -> (simulated lies) -> validation
 *     -> Aggregator -> step -> RoundRecord to the listener
 * -> TrainingRun: model, ledger, provenance
 * </pre>
 *
 * <p>There is one {@link holdfast.rounds.TrainingLoop} for every engine; an engine is a
 * {@link holdfast.rounds.WorkerPool} and nothing else. The state of a run is a value,
 * {@link holdfast.rounds.TrainingState}, so stopping, resuming and checkpoints need no code of their own.
 *
 * <p>The objective is F(theta) = (1/m) sum over workers of the mean robust loss on the worker's own shard: with shards
 * of different sizes every worker counts the same, not every row.
 */
package holdfast.training;
