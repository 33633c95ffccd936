package holdfast.spark;

import holdfast.model.Target;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * Linear regression, by least squares or Huber's loss, that holds fast when some of the workers lie and the data shift.
 * Works like {@link RobustLogisticRegression}, for labels that are numbers.
 */
public final class RobustLinearRegression extends Regressor<Vector, RobustLinearRegression, RobustLinearRegressionModel>
        implements RobustLinearEstimator<RobustLinearRegression>, DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this, "auto", "linear", "huber");
    private final Param<String> loss = loss(this);

    public RobustLinearRegression() {}

    public RobustLinearRegression(String uid) {
        this(Uid.of(uid));
    }

    private RobustLinearRegression(Uid given) {
        this();
    }

    static Param<String> loss(Params owner) {
        Param<String> loss = new Param<>(
                owner,
                "loss",
                "squaredError; huber: outliers count less",
                ParamCheck.oneOf("loss", "squaredError", "huber"));
        owner.setDefault(loss, "squaredError");
        return loss;
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustLinReg");
        }
        return uid;
    }

    /** @hidden */
    @Override
    public Settings settings() {
        return settings;
    }

    public Param<String> loss() {
        return loss;
    }

    public String getLoss() {
        return getOrDefault(loss);
    }

    public RobustLinearRegression setLoss(String value) {
        set(loss, value);
        return this;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        settings.columns().requireBeIn(schema);
        return super.transformSchema(schema);
    }

    /** @throws holdfast.InputException for the reasons that {@link Fitting} gives */
    @Override
    public RobustLinearRegressionModel train(Dataset<?> frame) {
        return Fitting.train(
                this,
                frame,
                settings.plan(!isSet(loss) ? null : getLoss().equals("huber") ? "huber" : "linear"),
                Target.NUMBER,
                RobustLinearRegressionModel::new);
    }

    @Override
    public RobustLinearRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public static MLReader<RobustLinearRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static RobustLinearRegression load(String path) {
        return read().load(path);
    }
}
