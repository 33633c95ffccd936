package holdfast.spark;

import holdfast.model.Target;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * Poisson regression, for labels that are counts, that holds fast when some of the workers lie and the data shift.
 * Works like {@link RobustLogisticRegression}; a prediction is the expected count, the exponential of a linear score.
 */
public final class RobustPoissonRegression
        extends Regressor<Vector, RobustPoissonRegression, RobustPoissonRegressionModel>
        implements RobustLinearEstimator<RobustPoissonRegression>, DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this, "poisson");

    public RobustPoissonRegression() {}

    public RobustPoissonRegression(String uid) {
        this(Uid.of(uid));
    }

    private RobustPoissonRegression(Uid given) {
        this();
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustPoisReg");
        }
        return uid;
    }

    /** @hidden */
    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        settings.columns().requireBeIn(schema);
        return super.transformSchema(schema);
    }

    /** @throws holdfast.InputException for the reasons that {@link Fitting} gives */
    @Override
    public RobustPoissonRegressionModel train(Dataset<?> frame) {
        return Fitting.train(this, frame, settings.plan(null), Target.COUNT, RobustPoissonRegressionModel::new);
    }

    @Override
    public RobustPoissonRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public static MLReader<RobustPoissonRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static RobustPoissonRegression load(String path) {
        return read().load(path);
    }
}
