package holdfast.spark;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;

/** The model that {@link RobustLinearRegression} trains. */
public final class RobustLinearRegressionModel extends RobustRegressionModel<RobustLinearRegressionModel>
        implements RobustLinearParams {
    private static final long serialVersionUID = 1;

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustLinearRegressionModel() {
        this(null, null);
    }

    RobustLinearRegressionModel(Uid given, Learnt learnt) {
        super(learnt);
    }

    @Override
    String uidPrefix() {
        return "robustLinReg";
    }

    @Override
    boolean throughOrigin() {
        return !getFitIntercept();
    }

    /** The coefficients for unscaled features and labels. */
    public Vector coefficients() {
        return Vectors.dense(learnt().scorer.coefficients().get(0).values());
    }

    public double intercept() {
        return learnt().scorer.coefficients().get(0).intercept();
    }

    @Override
    public RobustLinearRegressionModel copy(ParamMap extra) {
        return copyValues(new RobustLinearRegressionModel(Uid.of(uid()), learnt().copy()), extra)
                .setParent(parent());
    }

    public static MLReader<RobustLinearRegressionModel> read() {
        return Saved.reader(RobustLinearRegressionModel.class, RobustLinearRegressionModel::new);
    }

    public static RobustLinearRegressionModel load(String path) {
        return read().load(path);
    }
}
