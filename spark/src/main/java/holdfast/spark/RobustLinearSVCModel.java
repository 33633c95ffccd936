package holdfast.spark;

import holdfast.formats.SummaryFile;
import org.apache.spark.ml.classification.ClassificationModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import scala.Tuple3;

/** The model that {@link RobustLinearSVC} trains. Raw predictions are (-u, u), where u is the margin of class 1. */
public final class RobustLinearSVCModel extends ClassificationModel<Vector, RobustLinearSVCModel>
        implements RobustModel<RobustClassificationTrainingSummary>, RobustLinearParams, SharedParams.Threshold {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final DoubleParam threshold = RobustLinearSVC.threshold(this);
    private final Learnt learnt;

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustLinearSVCModel() {
        this(null, null);
    }

    RobustLinearSVCModel(Uid given, Learnt learnt) {
        this.learnt = learnt;
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

    /** @hidden */
    @Override
    public Learnt learnt() {
        return Learnt.of(learnt);
    }

    /** See {@link RobustLinearSVC#threshold()}. */
    @Override
    public DoubleParam threshold() {
        return threshold;
    }

    public RobustLinearSVCModel setThreshold(double value) {
        set(threshold, value);
        return this;
    }

    @Override
    public int numFeatures() {
        return learnt().scorer.features();
    }

    @Override
    public int numClasses() {
        return learnt().scorer.classes();
    }

    /** The coefficients for unscaled features. */
    public Vector coefficients() {
        return Vectors.dense(learnt().scorer.coefficients().get(0).values());
    }

    public double intercept() {
        return learnt().scorer.coefficients().get(0).intercept();
    }

    private Predicted predicted(Dataset<?> rows) {
        Tuple3<ClassificationModel<Vector, RobustLinearSVCModel>, String, String> named = findSummaryModel();
        return Predicted.of(named._1(), settings, rows, named._3(), named._2());
    }

    /** Tells how well the model does on labelled rows. */
    public RobustClassificationSummary evaluate(Dataset<?> rows) {
        return new RobustClassificationSummary(predicted(rows), numClasses());
    }

    /** @hidden */
    @Override
    public RobustClassificationTrainingSummary summaryOf(SummaryFile file, Dataset<?> rows) {
        return new RobustClassificationTrainingSummary(predicted(rows), numClasses(), file);
    }

    /** @hidden */
    public long estimatedSize() {
        return learnt().size();
    }

    @Override
    public Vector predictRaw(Vector features) {
        double score = learnt().scorer.scores(features)[0];
        return Vectors.dense(-score, score);
    }

    @Override
    public double raw2prediction(Vector raw) {
        return raw.apply(1) >= getThreshold() ? 1 : 0;
    }

    @Override
    public RobustLinearSVCModel copy(ParamMap extra) {
        return copyValues(new RobustLinearSVCModel(Uid.of(uid()), learnt().copy()), extra)
                .setParent(parent());
    }

    public static MLReader<RobustLinearSVCModel> read() {
        return Saved.reader(RobustLinearSVCModel.class, RobustLinearSVCModel::new);
    }

    public static RobustLinearSVCModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "RobustLinearSVCModel: uid=" + uid()
                + (learnt == null ? ", not trained" : ", numFeatures=" + numFeatures());
    }
}
