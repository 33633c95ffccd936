package holdfast.spark;

import holdfast.model.Target;
import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * A neural network of fully connected layers that tells two classes or more apart, and holds fast when some of the
 * workers lie and the data shift. Works like {@link RobustLogisticRegression}, for what no linear model can learn:
 * features that count only together. The loss on top is that of logistic regression for two classes, else softmax.
 *
 * <p>Spark's own {@code MultilayerPerceptronClassifier} is told the numbers of features and classes too; here
 * {@code hiddenLayers} are all.
 */
public final class RobustNetworkClassifier
        extends ProbabilisticClassifier<Vector, RobustNetworkClassifier, RobustNetworkClassificationModel>
        implements RobustNetworkEstimator<RobustNetworkClassifier>, SharedParams.Threshold, DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this, NetworkShape.MODEL);
    private final NetworkShape shape = new NetworkShape(this);
    private final DoubleParam threshold = RobustProbabilisticModel.threshold(this);

    public RobustNetworkClassifier() {}

    public RobustNetworkClassifier(String uid) {
        this(Uid.of(uid));
    }

    private RobustNetworkClassifier(Uid given) {
        this();
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustNetClf");
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

    /**
     * With two classes, a row belongs to the second if its probability is at least this. Spark's own models want it to
     * be above.
     */
    @Override
    public DoubleParam threshold() {
        return threshold;
    }

    /** Sets the threshold and clears {@code thresholds}, which would win. */
    public RobustNetworkClassifier setThreshold(double value) {
        clear(thresholds());
        set(threshold, value);
        return this;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        settings.columns().requireBeIn(schema);
        return super.transformSchema(schema);
    }

    /** @throws holdfast.InputException for the reasons that {@link Fitting} gives */
    @Override
    public RobustNetworkClassificationModel train(Dataset<?> frame) {
        return Fitting.train(
                this,
                frame,
                settings.planWith(model -> shape.in(model, null)),
                Target.CLASSES,
                RobustNetworkClassificationModel::new);
    }

    @Override
    public RobustNetworkClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public static MLReader<RobustNetworkClassifier> read() {
        return new DefaultParamsReader<>();
    }

    public static RobustNetworkClassifier load(String path) {
        return read().load(path);
    }
}
