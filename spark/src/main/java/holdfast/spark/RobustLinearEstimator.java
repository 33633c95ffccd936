package holdfast.spark;

/**
 * Setters for the training settings of linear models.
 *
 * @param <E> the estimator itself
 */
public interface RobustLinearEstimator<E extends RobustLinearEstimator<E>>
        extends RobustEstimator<E>, RobustLinearParams {
    @SuppressWarnings("unchecked")
    default E setFitIntercept(boolean value) {
        return (E) set(fitIntercept(), value);
    }
}
