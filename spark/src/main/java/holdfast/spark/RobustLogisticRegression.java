package holdfast.spark;

import holdfast.model.Target;
import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * Logistic regression, of two classes or more, that holds fast when some of the workers lie and the data shift. Each
 * worker minimises the mean over its rows of sup_z f(theta; z) - (lambda/2) ||z - x||^2, the loss at the worst place a
 * row may be moved to at that price. A rule that tolerates liars combines their gradients (Zhou, Xu, Wang, Tian,
 * Algorithm 2).
 *
 * <p>The column {@code workerCol} names the worker of each row; without it, rows are dealt to {@code numWorkers}
 * workers in turn. Labels are classes 0, 1, ... The same Params and rows give the same bits on any cluster and in
 * one process, in whatever order the rows come.
 */
public final class RobustLogisticRegression
        extends ProbabilisticClassifier<Vector, RobustLogisticRegression, RobustLogisticRegressionModel>
        implements RobustLinearEstimator<RobustLogisticRegression>, SharedParams.Threshold, DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this, "auto", "logistic", "softmax");
    private final Param<String> family = new Param<>(
            this,
            "family",
            "auto: binomial for two classes, else multinomial; binomial; multinomial: one vector of weights per class",
            ParamCheck.oneOf("family", "auto", "binomial", "multinomial"));
    private final DoubleParam threshold = RobustProbabilisticModel.threshold(this);

    public RobustLogisticRegression() {
        setDefault(family, "auto");
    }

    public RobustLogisticRegression(String uid) {
        this(Uid.of(uid));
    }

    private RobustLogisticRegression(Uid given) {
        this();
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustLogReg");
        }
        return uid;
    }

    /** @hidden */
    @Override
    public Settings settings() {
        return settings;
    }

    public Param<String> family() {
        return family;
    }

    public String getFamily() {
        return getOrDefault(family);
    }

    public RobustLogisticRegression setFamily(String value) {
        set(family, value);
        return this;
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
    public RobustLogisticRegression setThreshold(double value) {
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
    public RobustLogisticRegressionModel train(Dataset<?> frame) {
        return Fitting.train(
                this,
                frame,
                settings.plan(isSet(family) ? model() : null),
                Target.CLASSES,
                RobustLogisticRegressionModel::new);
    }

    private String model() {
        return switch (getFamily()) {
            case "binomial" -> "logistic";
            case "multinomial" -> "softmax";
            default -> "auto";
        };
    }

    @Override
    public RobustLogisticRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public static MLReader<RobustLogisticRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static RobustLogisticRegression load(String path) {
        return read().load(path);
    }
}
