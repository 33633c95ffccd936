package holdfast.objective;

import holdfast.model.Model;

/** An objective but for the model: the choices that turn a model's loss into what workers minimise. Immutable. */
public interface ObjectiveFamily {
    /**
     * What workers minimise when they learn this model.
     *
     * @param l2 the weight of the penalty (l2/2)||theta||^2
     * @throws holdfast.InputException if these choices do not serve the model
     */
    Objective on(Model model, double l2);
}
