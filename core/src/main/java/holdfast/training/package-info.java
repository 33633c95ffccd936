/**
 * The facade. Start at {@link holdfast.training.Training}: data and a plan in, a {@link holdfast.training.TrainingRun} out.
 *
 * <pre>
 * Table -> PreparedData (split, prepared, one shard per worker) -> PreparedRun (workers of an engine)
 * Plan -> PlanResolver (numbers that the plan leaves to the data) -> ResolvedPlan (objects)
 * TrainingLoop, each round: ask -> worker momentum -> simulated attack -> validation -> Aggregator -> step -> stopping rule
 * -> TrainingRun: model, ledger, guarantee, provenance
 * </pre>
 *
 * <p>There is one {@link holdfast.rounds.TrainingLoop} for every engine; an engine, see {@link holdfast.training.engine},
 * brings the workers and reads their rows. A {@link holdfast.training.Checkpoint} is the state of a run as a value, so
 * stopping and resuming need no code of their own. {@link holdfast.training.Guarantee} says which conditions of the
 * convergence theorems held.
 *
 * <p>The objective is F(theta) = (1/m) sum over workers of the mean robust loss on the worker's own shard: with shards of
 * different sizes every worker counts the same, not every row.
 */
package holdfast.training;
