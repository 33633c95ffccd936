package holdfast.spark;

import org.apache.spark.ml.param.IntArrayParam;
import org.apache.spark.ml.param.Param;

/** The Params that networks have besides the others. */
public interface RobustNetworkParams extends RobustParams {
    /**
     * Holds the Params.
     *
     * @hidden
     */
    NetworkShape shape();

    default IntArrayParam hiddenLayers() {
        return shape().hiddenLayers;
    }

    default int[] getHiddenLayers() {
        return getOrDefault(hiddenLayers());
    }

    default Param<String> activation() {
        return shape().activation;
    }

    default String getActivation() {
        return getOrDefault(activation());
    }
}
