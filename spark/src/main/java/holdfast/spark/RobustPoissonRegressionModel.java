package holdfast.spark;

import holdfast.formats.SummaryFile;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;

/** The model that {@link RobustPoissonRegression} trains. */
public final class RobustPoissonRegressionModel extends RegressionModel<Vector, RobustPoissonRegressionModel>
        implements RobustModel<RobustRegressionTrainingSummary> {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final Learnt learnt;

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustPoissonRegressionModel() {
        this(null, null);
    }

    RobustPoissonRegressionModel(Uid given, Learnt learnt) {
        this.learnt = learnt;
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

    /** @hidden */
    @Override
    public Learnt learnt() {
        return Learnt.of(learnt);
    }

    @Override
    public int numFeatures() {
        return learnt().scorer.features();
    }

    /** The coefficients of the logarithm of the expected count, for unscaled features. */
    public Vector coefficients() {
        return Vectors.dense(learnt().scorer.coefficients().get(0).values());
    }

    public double intercept() {
        return learnt().scorer.coefficients().get(0).intercept();
    }

    /** Tells how well the model does on labelled rows. */
    public RobustRegressionSummary evaluate(Dataset<?> rows) {
        return new RobustRegressionSummary(Predicted.numbers(this, settings, rows), false);
    }

    /** @hidden */
    @Override
    public RobustRegressionTrainingSummary summaryOf(SummaryFile file, Dataset<?> rows) {
        return new RobustRegressionTrainingSummary(Predicted.numbers(this, settings, rows), false, file);
    }

    /** @hidden */
    public long estimatedSize() {
        return learnt().size();
    }

    @Override
    public double predict(Vector features) {
        return learnt().scorer.read(learnt().scorer.scores(features), 0.5).label(0);
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

    @Override
    public String toString() {
        return "RobustPoissonRegressionModel: uid=" + uid()
                + (learnt == null ? ", not trained" : ", numFeatures=" + numFeatures());
    }
}
