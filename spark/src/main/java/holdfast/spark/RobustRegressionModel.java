package holdfast.spark;

import holdfast.formats.SummaryFile;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.sql.Dataset;

/**
 * A trained model of numbers: what all of them have in common.
 *
 * @param <M> the model itself
 */
public abstract class RobustRegressionModel<M extends RobustRegressionModel<M>> extends RegressionModel<Vector, M>
        implements RobustModel<RobustRegressionTrainingSummary> {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final Learnt learnt;

    /** @param learnt null for a model that cannot be used */
    RobustRegressionModel(Learnt learnt) {
        this.learnt = learnt;
    }

    /** The beginning of a new uid. */
    abstract String uidPrefix();

    @Override
    public String uid() {
        if (uid == null) {
            uid = Uid.take(uidPrefix());
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

    /** Whether {@code r2} compares with predicting 0 instead of the mean. */
    boolean throughOrigin() {
        return false;
    }

    @Override
    public int numFeatures() {
        return learnt().scorer.features();
    }

    @SuppressWarnings("unchecked")
    private Predicted predicted(Dataset<?> rows) {
        return Predicted.numbers((M) this, settings, rows);
    }

    /** Tells how well the model does on labelled rows. */
    public RobustRegressionSummary evaluate(Dataset<?> rows) {
        return new RobustRegressionSummary(predicted(rows), throughOrigin());
    }

    /** @hidden */
    @Override
    public RobustRegressionTrainingSummary summaryOf(SummaryFile file, Dataset<?> rows) {
        return new RobustRegressionTrainingSummary(predicted(rows), throughOrigin(), file);
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
    public String toString() {
        return getClass().getSimpleName() + ": uid=" + uid()
                + (learnt == null ? ", not trained" : ", numFeatures=" + numFeatures());
    }
}
