package holdfast.spark;

import holdfast.formats.ModelFile;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;

/** What {@link RobustLinearRegression} learnt. */
public final class RobustLinearRegressionModel extends RegressionModel<Vector, RobustLinearRegressionModel>
        implements RobustParams, MLWritable {
    private static final long serialVersionUID = 1;

    /** Set while Spark's constructors run: no value here, which would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final Scorer scorer;
    /** Not on executors. */
    private final transient ModelFile file;

    private final transient RobustSummary summary;

    /** @param summary null if it is not known any more */
    RobustLinearRegressionModel(Uid given, ModelFile file, RobustSummary summary) {
        this.scorer = new Scorer(file.model());
        this.file = file;
        this.summary = summary;
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
    public int numFeatures() {
        return scorer.features();
    }

    /** Of features and labels that are not scaled. */
    public Vector coefficients() {
        return Vectors.dense(scorer.coefficients()[0]);
    }

    public double intercept() {
        return scorer.intercepts()[0];
    }

    /** Whether this model was trained here and not loaded. */
    public boolean hasSummary() {
        return summary != null;
    }

    public RobustSummary summary() {
        if (summary == null) {
            throw new IllegalStateException("there is no summary of a model that was loaded");
        }
        return summary;
    }

    @Override
    public double predict(Vector features) {
        return scorer.read(scorer.scores(features), 0.5).label(0);
    }

    @Override
    public RobustLinearRegressionModel copy(ParamMap extra) {
        RobustLinearRegressionModel copy = new RobustLinearRegressionModel(Uid.of(uid()), file, summary);
        copyValues(copy, extra).setParent(parent());
        return copy;
    }

    @Override
    public MLWriter write() {
        return Saved.writer(this, file);
    }

    public static MLReader<RobustLinearRegressionModel> read() {
        return Saved.reader(
                RobustLinearRegressionModel.class,
                (uid, file) -> new RobustLinearRegressionModel(Uid.of(uid), file, null));
    }

    public static RobustLinearRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "RobustLinearRegressionModel: uid=" + uid() + ", numFeatures=" + numFeatures();
    }
}
