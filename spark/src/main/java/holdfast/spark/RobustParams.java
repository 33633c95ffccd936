package holdfast.spark;

import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;

/** The training settings: the Params that robust estimators and their models share. */
public interface RobustParams extends SharedParams {
    @Override
    default IntParam maxIter() {
        return settings().maxIter;
    }

    @Override
    default DoubleParam tol() {
        return settings().tol;
    }

    default DoubleParam learningRate() {
        return settings().learningRate;
    }

    /** @throws java.util.NoSuchElementException if it is not set and therefore automatic; see {@link #isDefined} */
    default double getLearningRate() {
        return (double) getOrDefault(learningRate());
    }

    @Override
    default DoubleParam regParam() {
        return settings().regParam;
    }

    default Param<String> scale() {
        return settings().scale;
    }

    default String getScale() {
        return getOrDefault(scale());
    }

    @Override
    default LongParam seed() {
        return settings().seed;
    }

    default DoubleParam price() {
        return settings().price;
    }

    default double getPrice() {
        return (double) settings().value(price(), "lambda");
    }

    /** The older name of {@link #price}; {@code lambda} is a keyword in Python. */
    @Deprecated
    default DoubleParam lambda() {
        return (DoubleParam) settings().older("lambda");
    }

    /** The older name of {@link #getPrice}. */
    @Deprecated
    default double getLambda() {
        return getPrice();
    }

    default IntParam ascentSteps() {
        return settings().ascentSteps;
    }

    /** @throws java.util.NoSuchElementException if it is not set and therefore automatic; see {@link #isDefined} */
    default int getAscentSteps() {
        return (int) getOrDefault(ascentSteps());
    }

    default DoubleParam ascentRate() {
        return settings().ascentRate;
    }

    /** @throws java.util.NoSuchElementException if it is not set and therefore automatic; see {@link #isDefined} */
    default double getAscentRate() {
        return (double) getOrDefault(ascentRate());
    }

    default Param<String> rule() {
        return settings().rule;
    }

    default String getRule() {
        return getOrDefault(rule());
    }

    default Param<String> tolerated() {
        return settings().tolerated;
    }

    default String getTolerated() {
        return (String) settings().value(tolerated(), "screened");
    }

    /** The older name of {@link #tolerated}. */
    @Deprecated
    @SuppressWarnings("unchecked")
    default Param<String> screened() {
        return (Param<String>) settings().older("screened");
    }

    /** The older name of {@link #getTolerated}. */
    @Deprecated
    default String getScreened() {
        return getTolerated();
    }

    default Param<String> statistics() {
        return settings().statistics;
    }

    default String getStatistics() {
        return getOrDefault(statistics());
    }

    default IntParam numWorkers() {
        return settings().numWorkers;
    }

    default int getNumWorkers() {
        return (int) getOrDefault(numWorkers());
    }

    default Param<String> workerCol() {
        return settings().workerCol;
    }

    default String getWorkerCol() {
        return getOrDefault(workerCol());
    }

    @Override
    default Param<String> weightCol() {
        return settings().weightCol;
    }

    default Param<String> plan() {
        return settings().plan;
    }

    default String getPlan() {
        return getOrDefault(plan());
    }
}
