package holdfast.spark;

import holdfast.model.Target;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * A neural network of fully connected layers for labels that are numbers, by least squares or Huber's loss, that holds
 * fast when some of the workers lie and the data shift. Works like {@link RobustNetworkClassifier}.
 */
public final class RobustNetworkRegressor
        extends Regressor<Vector, RobustNetworkRegressor, RobustNetworkRegressionModel>
        implements RobustNetworkEstimator<RobustNetworkRegressor>, DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this, NetworkShape.MODEL);
    private final NetworkShape shape = new NetworkShape(this);
    private final Param<String> loss = RobustLinearRegression.loss(this);

    public RobustNetworkRegressor() {}

    public RobustNetworkRegressor(String uid) {
        this(Uid.of(uid));
    }

    private RobustNetworkRegressor(Uid given) {
        this();
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustNetReg");
        }
        return uid;
    }

    /** @hidden */
    @Override
    public Settings settings() {
        return settings;
    }

    /** @hidden */
    @Override
    public NetworkShape shape() {
        return shape;
    }

    public Param<String> loss() {
        return loss;
    }

    public String getLoss() {
        return getOrDefault(loss);
    }

    public RobustNetworkRegressor setLoss(String value) {
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
    public RobustNetworkRegressionModel train(Dataset<?> frame) {
        String chosen = !isSet(loss) ? null : getLoss().equals("huber") ? "huber" : "squared";
        return Fitting.train(
                this,
                frame,
                settings.planWith(model -> shape.in(model, chosen)),
                Target.NUMBER,
                RobustNetworkRegressionModel::new);
    }

    @Override
    public RobustNetworkRegressor copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public static MLReader<RobustNetworkRegressor> read() {
        return new DefaultParamsReader<>();
    }

    public static RobustNetworkRegressor load(String path) {
        return read().load(path);
    }
}
