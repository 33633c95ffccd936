package holdfast.spark;

/**
 * Setters for the training settings of networks.
 *
 * @param <E> the estimator itself
 */
public interface RobustNetworkEstimator<E extends RobustNetworkEstimator<E>>
        extends RobustEstimator<E>, RobustNetworkParams {
    /** How many units each hidden layer has, first layer first. */
    @SuppressWarnings("unchecked")
    default E setHiddenLayers(int... units) {
        return (E) set(hiddenLayers(), units);
    }

    /** What a unit does with its sum: softplus, tanh, gelu, elu or relu. */
    @SuppressWarnings("unchecked")
    default E setActivation(String value) {
        return (E) set(activation(), value);
    }
}
