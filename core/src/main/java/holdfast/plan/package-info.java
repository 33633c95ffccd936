/**
 * The settings of a run. Start at {@link holdfast.plan.Plan}: choices, one value per {@link holdfast.plan.PlanKey}, with good
 * defaults. Text is an adapter: flags, plan files, model files and objects given in code all end in the same typed plan, and
 * {@link holdfast.plan.Plan#settings()} prints it back.
 *
 * <pre>
 * flags, plan.yaml - SettingText -+
 * Training.on(data).rule(...) ----+-> Plan - PlanResolver (numbers from the data) -> Plan -> ResolvedPlan (objects)
 * </pre>
 *
 * <p>A new setting is one line in {@link holdfast.plan.PlanKey}, in one {@link holdfast.plan.SettingGroup}. What names stand
 * for is in {@link holdfast.plan.Catalogues}, immutable values to which a {@link holdfast.plan.Plugin} adds lines. An object
 * that no catalogue knows is a {@link holdfast.Choice} without a name: it runs in this process, and
 * {@link holdfast.plan.PortablePlan}, by which plans travel to executors, refuses it.
 */
package holdfast.plan;
