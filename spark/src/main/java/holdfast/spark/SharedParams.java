package holdfast.spark;

import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.shared.HasMaxIter;
import org.apache.spark.ml.param.shared.HasRegParam;
import org.apache.spark.ml.param.shared.HasSeed;
import org.apache.spark.ml.param.shared.HasThreshold;
import org.apache.spark.ml.param.shared.HasTol;
import org.apache.spark.ml.param.shared.HasWeightCol;

/**
 * Spark's traits for Params that many stages have, by which other stages recognise them: {@code OneVsRest} passes
 * weights on to a {@code HasWeightCol} only. A class in Scala would let the traits make these Params, through the
 * setters below. Ours come from {@link Settings}, with our own docs and checks, so the setters are never called.
 */
interface SharedParams extends HasMaxIter, HasTol, HasRegParam, HasSeed, HasWeightCol {
    /**
     * Holds the Params.
     *
     * @hidden
     */
    Settings settings();

    /** @hidden */
    @Override
    default void org$apache$spark$ml$param$shared$HasMaxIter$_setter_$maxIter_$eq(IntParam param) {}

    /** @hidden */
    @Override
    default void org$apache$spark$ml$param$shared$HasTol$_setter_$tol_$eq(DoubleParam param) {}

    /** @hidden */
    @Override
    default void org$apache$spark$ml$param$shared$HasRegParam$_setter_$regParam_$eq(DoubleParam param) {}

    /** @hidden */
    @Override
    default void org$apache$spark$ml$param$shared$HasSeed$_setter_$seed_$eq(LongParam param) {}

    /** @hidden */
    @Override
    default void org$apache$spark$ml$param$shared$HasWeightCol$_setter_$weightCol_$eq(Param<String> param) {}

    /** The same for the threshold of a classifier. */
    interface Threshold extends HasThreshold {
        /** @hidden */
        @Override
        default void org$apache$spark$ml$param$shared$HasThreshold$_setter_$threshold_$eq(DoubleParam param) {}
    }
}
