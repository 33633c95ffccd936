package holdfast.spark;

import holdfast.Check;
import holdfast.model.Target;
import org.apache.spark.ml.classification.Classifier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * A linear support vector machine for two classes, with a smoothed hinge loss, that holds fast when some of the workers
 * lie and the data shift. Works like {@link RobustLogisticRegression}, but gives no probabilities.
 */
public final class RobustLinearSVC extends Classifier<Vector, RobustLinearSVC, RobustLinearSVCModel>
        implements RobustLinearEstimator<RobustLinearSVC>, SharedParams.Threshold, DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this, "svm");
    private final DoubleParam threshold = threshold(this);

    public RobustLinearSVC() {}

    public RobustLinearSVC(String uid) {
        this(Uid.of(uid));
    }

    private RobustLinearSVC(Uid given) {
        this();
    }

    static DoubleParam threshold(Params owner) {
        ParamCheck<Object> number =
                value -> Check.that(!Double.isNaN((double) value), "threshold must be a number, got %s", value);
        DoubleParam threshold = new DoubleParam(
                owner,
                "threshold",
                "a row is of the second class if its raw prediction is at least this, where Spark's own LinearSVC wants"
                        + " more than this",
                number);
        owner.setDefault(threshold, 0.0);
        return threshold;
    }

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take("robustLinSVC");
        }
        return uid;
    }

    /** @hidden */
    @Override
    public Settings settings() {
        return settings;
    }

    /**
     * A row belongs to the second class if its raw prediction is at least this. Spark's own models want it to be above.
     */
    @Override
    public DoubleParam threshold() {
        return threshold;
    }

    public RobustLinearSVC setThreshold(double value) {
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
    public RobustLinearSVCModel train(Dataset<?> frame) {
        return Fitting.train(this, frame, settings.plan(null), Target.CLASSES, RobustLinearSVCModel::new);
    }

    @Override
    public RobustLinearSVC copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public static MLReader<RobustLinearSVC> read() {
        return new DefaultParamsReader<>();
    }

    public static RobustLinearSVC load(String path) {
        return read().load(path);
    }
}
