package holdfast.spark;

import org.apache.spark.ml.param.Param;

/**
 * Setters for the training settings. A setting that is not set has the default of a plan: good settings without any
 * tuning. There are ten workers, and rows are dealt to them in turn. {@code clear(param)} makes a setting automatic
 * again. What no plan allows is refused at once, in one line.
 *
 * @param <E> the estimator itself
 */
public interface RobustEstimator<E extends RobustEstimator<E>> extends RobustParams {
    /** Sets a Param and returns the same estimator. */
    @SuppressWarnings("unchecked")
    private <T> E with(Param<T> param, T value) {
        return (E) set(param, value);
    }

    default E setMaxIter(int value) {
        return with(maxIter(), value);
    }

    default E setTol(double value) {
        return with(tol(), value);
    }

    default E setLearningRate(double value) {
        return with(learningRate(), settings().chosen(learningRate(), value));
    }

    default E setRegParam(double value) {
        return with(regParam(), value);
    }

    default E setScale(String value) {
        return with(scale(), value);
    }

    default E setSeed(long value) {
        return with(seed(), value);
    }

    default E setPrice(double value) {
        return with(price(), value);
    }

    /** The older name of {@link #setPrice}. */
    @Deprecated
    default E setLambda(double value) {
        return setPrice(value);
    }

    default E setAscentSteps(int value) {
        return with(ascentSteps(), settings().chosen(ascentSteps(), value));
    }

    default E setAscentRate(double value) {
        return with(ascentRate(), settings().chosen(ascentRate(), value));
    }

    default E setRule(String value) {
        return with(rule(), value);
    }

    /** How many liars the rule is set up for: a count, a share below 1, or auto. */
    default E setTolerated(String value) {
        return with(tolerated(), value);
    }

    default E setTolerated(int count) {
        return setTolerated(Integer.toString(count));
    }

    /** The older name of {@link #setTolerated(String)}. */
    @Deprecated
    default E setScreened(String value) {
        return setTolerated(value);
    }

    /** How scale, weights and step size are learnt: robust or pooled. */
    default E setStatistics(String value) {
        return with(statistics(), value);
    }

    default E setNumWorkers(int value) {
        return with(numWorkers(), value);
    }

    default E setWorkerCol(String value) {
        return with(workerCol(), ParamCheck.column(workerCol(), value));
    }

    default E setWeightCol(String value) {
        return with(weightCol(), ParamCheck.column(weightCol(), value));
    }

    default E setPlan(String value) {
        return with(plan(), value);
    }
}
