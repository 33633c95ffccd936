package holdfast.spark;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;

/** The model that {@link RobustPoissonRegression} trains. */
public final class RobustPoissonRegressionModel extends RobustRegressionModel<RobustPoissonRegressionModel>
        implements RobustLinearParams {
    private static final long serialVersionUID = 1;

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustPoissonRegressionModel() {
        this(null, null);
    }

    RobustPoissonRegressionModel(Uid given, Learnt learnt) {
        super(learnt);
    }

    @Override
    String uidPrefix() {
        return "robustPoisReg";
    }

    /** The coefficients of the logarithm of the expected count, for unscaled features. */
    public Vector coefficients() {
        return Vectors.dense(learnt().scorer.coefficients().get(0).values());
    }

    public double intercept() {
        return learnt().scorer.coefficients().get(0).intercept();
    }

    @Override
    public RobustPoissonRegressionModel copy(ParamMap extra) {
        return copyValues(new RobustPoissonRegressionModel(Uid.of(uid()), learnt().copy()), extra)
                .setParent(parent());
    }

    public static MLReader<RobustPoissonRegressionModel> read() {
        return Saved.reader(RobustPoissonRegressionModel.class, RobustPoissonRegressionModel::new);
    }

    public static RobustPoissonRegressionModel load(String path) {
        return read().load(path);
    }
}
