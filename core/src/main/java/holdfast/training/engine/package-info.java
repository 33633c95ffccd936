/**
 * What an engine must provide. An engine decides where rows are read and where the workers are; the round loop, the rules and
 * the preparation are the same for all.
 *
 * <p>An {@link holdfast.training.engine.Engine} opens a table by a plan into a session, which gives a
 * {@link holdfast.training.PreparedRun} for {@link holdfast.training.Training}:
 *
 * <pre>
 * try (Engine.Session session = engine.open("visits.csv", plan, new EngineSettings(Map.of("master", "local[2]"), 4));
 *         PreparedRun prepared = session.prepare()) {
 *     TrainingRun run = Training.of(session.source(), session.plan()).run(prepared);
 * }
 * </pre>
 *
 * <p>To write an engine: one {@link holdfast.rounds.WorkerPool} that brings requests to the workers and replies back, tested by
 * {@code WorkerPoolContract}; one class that implements {@code Engine}, with its name and its
 * {@linkplain holdfast.training.engine.EngineOption options}; and its class name in
 * {@code META-INF/services/holdfast.training.engine.Engine}. {@link holdfast.training.engine.Engines} then finds it on the class
 * path, and {@code holdfast train} has it and its options.
 */
package holdfast.training.engine;
