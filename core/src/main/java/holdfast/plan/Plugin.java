package holdfast.plan;

/**
 * Adds to the catalogues: rules, attacks, models and the like of your own, which plans and commands then know by name.
 * A jar that names its plugin in {@code META-INF/services/holdfast.plan.Plugin} is loaded with
 * {@code --plugins my.jar}. A plugin's code runs with all rights of the process, so no plan and no model file can ask
 * for one: only the user who starts the command can.
 */
@FunctionalInterface
public interface Plugin {
    /**
     * Returns the catalogues with more entries: {@code known.withRule("middle", "...", p -> f -> new Middle(f))}.
     *
     * @throws holdfast.InputException if a name is taken
     */
    Catalogues extend(Catalogues known);
}
