package holdfast.spark;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;

/** The model that {@link RobustLinearRegression} trains. */
public final class RobustLinearRegressionModel extends RegressionModel<Vector, RobustLinearRegressionModel>
        implements RobustModel {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final Learnt learnt;

    RobustLinearRegressionModel(Uid given, Learnt learnt) {
        this.learnt = learnt;
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustLinReg");
        }
        return uid;
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Learnt learnt() {
        return learnt;
    }

    @Override
    public int numFeatures() {
        return learnt.scorer.features();
    }

    /** The coefficients for unscaled features and labels. */
    public Vector coefficients() {
        return Vectors.dense(learnt.scorer.coefficients()[0]);
    }

    public double intercept() {
        return learnt.scorer.intercepts()[0];
    }

    @Override
    public double predict(Vector features) {
        return learnt.scorer.read(learnt.scorer.scores(features), 0.5).label(0);
    }

    @Override
    public RobustLinearRegressionModel copy(ParamMap extra) {
        return copyValues(new RobustLinearRegressionModel(Uid.of(uid()), learnt), extra)
                .setParent(parent());
    }

    public static MLReader<RobustLinearRegressionModel> read() {
        return Saved.reader(RobustLinearRegressionModel.class, RobustLinearRegressionModel::new);
    }

    public static RobustLinearRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "RobustLinearRegressionModel: uid=" + uid() + ", numFeatures=" + numFeatures();
    }
}
