package holdfast.spark;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.shared.HasFitIntercept;

/** The Param that linear models have besides the others: networks always have biases. */
public interface RobustLinearParams extends RobustParams, HasFitIntercept {
    @Override
    default BooleanParam fitIntercept() {
        return settings().fitIntercept;
    }

    /** @hidden */
    @Override
    default void org$apache$spark$ml$param$shared$HasFitIntercept$_setter_$fitIntercept_$eq(BooleanParam param) {}
}
