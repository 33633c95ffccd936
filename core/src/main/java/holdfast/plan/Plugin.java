package holdfast.plan;

/**
 * Adds lines to the catalogues: rules, attacks, models and the like of one's own, which plans and commands then know by
 * name. A jar that names its plugin in {@code META-INF/services/holdfast.plan.Plugin} is loaded with
 * {@code --plugins my.jar}. Code that is not ours runs with all rights of the process, so no plan and no model file can
 * ask for a plugin: only whoever starts the command does.
 */
@FunctionalInterface
public interface Plugin {
    /**
     * The catalogues with more lines: {@code known.withRule("middle", "...", p -> f -> new Middle(f))}.
     *
     * @throws holdfast.InputException if a name is taken
     */
    Catalogues extend(Catalogues known);
}
