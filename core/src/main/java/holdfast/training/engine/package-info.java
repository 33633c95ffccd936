/**
 * What an engine must provide. An engine decides where rows are read and where the workers are; the round loop, the
 * rules and the preparation are the same for all.
 *
 * <p>An {@link holdfast.training.engine.Engine} opens a table as a plan says and returns a session, which prepares a
 * {@link holdfast.training.PreparedRun} for {@link holdfast.training.Training}:
 *
 * <pre>
 * try (Engine.Session session = engine.open("visits.csv", plan, new EngineSettings(Map.of("master", "local[2]"), 4));
 *         PreparedRun prepared = session.prepare()) {
 *     TrainingRun run = Training.of(session.source(), session.plan()).run(prepared);
 * }
 * </pre>
 *
 * <p>To write an engine, provide a {@link holdfast.rounds.WorkerPool} that takes requests to the workers and brings
 * replies back, tested by {@code WorkerPoolContract}; a class that implements {@code Engine}, with its name and its
 * {@linkplain holdfast.training.engine.EngineOption options}; and the name of that class in
 * {@code META-INF/services/holdfast.training.engine.Engine}. {@link holdfast.training.engine.Engines} then finds it on
 * the class path, and {@code holdfast train} offers it with its options.
 */
package holdfast.training.engine;
