/**
 * Contracts for people who write their own rules, attacks, models and engines. A contract is an abstract JUnit class whose
 * tests are laws: they hold for every implementation, on random legal inputs. Holdfast's own implementations are tested by
 * the same classes.
 *
 * <p>To test a rule of your own, add {@code holdfast:holdfast-testkit} with scope {@code test}, extend the contract and say
 * what it asks for:
 *
 * <pre>{@code
 * class MyRuleTest extends AggregatorContract {
 *     @Override
 *     protected Aggregator rule(int tolerated, Randomness random) {
 *         return new MyRule(tolerated, 1 + random.nextInt(5)); // Draw other parameters from all legal values.
 *     }
 *
 *     @Override
 *     protected boolean translates() {
 *         return true;
 *     }
 * }
 * }</pre>
 *
 * <p>JUnit runs the inherited laws together with the tests you add. A law that fails names the seed of the input that broke
 * it; {@code Seed.of(...)} with that number gives the same input again.
 *
 * <table>
 * <caption>Which contract to extend</caption>
 * <tr><th>You wrote</th><th>Your test extends</th></tr>
 * <tr><td>{@link holdfast.aggregate.Aggregator}</td><td>{@link holdfast.testkit.AggregatorContract}</td></tr>
 * <tr><td>{@link holdfast.attack.UpdateAttack}</td><td>{@link holdfast.testkit.AttackContract}</td></tr>
 * <tr><td>an {@code UpdateAttack} along a {@link holdfast.attack.Perturbation}</td>
 *     <td>{@link holdfast.testkit.PerturbationContract}</td></tr>
 * <tr><td>{@link holdfast.attack.RowAttack}</td><td>{@link holdfast.testkit.RowAttackContract}</td></tr>
 * <tr><td>{@link holdfast.attack.RawAttack}</td><td>{@link holdfast.testkit.RawAttackContract}</td></tr>
 * <tr><td>{@link holdfast.model.Model}</td><td>{@link holdfast.testkit.ModelContract}</td></tr>
 * <tr><td>{@link holdfast.model.LinearScores}</td><td>{@link holdfast.testkit.LinearScoresContract}</td></tr>
 * <tr><td>{@link holdfast.model.LinearModel}</td><td>{@link holdfast.testkit.LinearModelContract}</td></tr>
 * <tr><td>{@link holdfast.objective.Objective}</td><td>{@link holdfast.testkit.ObjectiveContract}</td></tr>
 * <tr><td>{@link holdfast.objective.TransportCost}</td><td>{@link holdfast.testkit.TransportCostContract}</td></tr>
 * <tr><td>{@link holdfast.rounds.WorkerPool}</td><td>{@link holdfast.testkit.WorkerPoolContract}</td></tr>
 * </table>
 *
 * <p>Methods that return a boolean or a number say which laws apply and how tightly; each has a default that suits most
 * implementations. Where a law cannot hold for good reason, override its test with what holds instead.
 *
 * <p>{@link holdfast.testkit.Laws} checks laws of your own, {@link holdfast.testkit.BoundSearch} looks for updates that refute
 * what a rule claims, {@link holdfast.testkit.Samples} makes data with something to
 * learn, {@link holdfast.testkit.TrainedOffset} is an objective with a dual variable, and {@link holdfast.testkit.Logged}
 * collects what the library logs.
 */
package holdfast.testkit;
