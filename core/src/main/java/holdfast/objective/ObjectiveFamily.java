package holdfast.objective;

import holdfast.model.Model;
import java.util.Optional;

/** An objective without its model: the choices that turn a model's loss into what workers minimise. Immutable. */
public interface ObjectiveFamily {
    /**
     * Returns what workers minimise when they learn this model.
     *
     * @param l2 the weight of the penalty (l2/2)||theta||^2
     * @throws holdfast.InputException if these choices do not work for the model
     */
    Objective on(Model model, double l2);

    /**
     * Checks that the objective can be trained with this many sources, of which some may lie.
     *
     * @throws holdfast.InputException if liars could decide it
     */
    default void requireServes(int sources, int tolerated) {}

    /** Whether rows count by their worst case, at places that they may move to. */
    default boolean movesRows() {
        return false;
    }

    /** Where rows may move to when this model is learnt. */
    default Box boxFor(Model model) {
        return Box.NONE;
    }

    /** Less effort in the first rounds; empty: the same in all rounds. */
    default Optional<FirstStage> firstStage() {
        return Optional.empty();
    }

    /** Whether rows or sources count more the larger their loss is, so that the updates that matter most are long. */
    default boolean favoursWorst() {
        return false;
    }
}
