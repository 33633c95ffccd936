package holdfast.spark;

import holdfast.Check;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.ModelFile;
import holdfast.formats.SummaryFile;
import java.util.List;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import scala.Tuple3;

/**
 * A trained model of the probabilities of two classes or more: what all of them have in common. With one score u per
 * row, the logarithm of the odds of class 1, raw predictions are (-u, u); otherwise they are one score per class.
 *
 * @param <M> the model itself
 */
public abstract class RobustProbabilisticModel<M extends RobustProbabilisticModel<M>>
        extends ProbabilisticClassificationModel<Vector, M>
        implements RobustModel<RobustClassificationTrainingSummary>, SharedParams.Threshold {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final DoubleParam threshold = threshold(this);
    private final Learnt learnt;

    /** @param learnt null for a model that cannot be used */
    RobustProbabilisticModel(Learnt learnt) {
        this.learnt = learnt;
    }

    static DoubleParam threshold(Params owner) {
        ParamCheck<Object> between = value ->
                Check.that((double) value > 0 && (double) value < 1, "threshold must be in (0, 1), got %s", value);
        DoubleParam threshold = new DoubleParam(
                owner,
                "threshold",
                "of two classes, a row is the second when its probability is at least this, in (0, 1), where Spark's own"
                        + " classifiers want more than this; without thresholds",
                between);
        owner.setDefault(threshold, 0.5);
        return threshold;
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

    /**
     * With two classes, a row belongs to the second if its probability is at least this. Spark's own models want it to
     * be above.
     */
    @Override
    public DoubleParam threshold() {
        return threshold;
    }

    /** Sets the threshold and clears {@code thresholds}, which would win. */
    @SuppressWarnings("unchecked")
    public M setThreshold(double value) {
        clear(thresholds());
        set(threshold, value);
        return (M) this;
    }

    @Override
    public int numFeatures() {
        return learnt().scorer.features();
    }

    @Override
    public int numClasses() {
        return learnt().scorer.classes();
    }

    /** Spark declares this in two classes with result types that Java considers different; the raw type fits both. */
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public Tuple3 findSummaryModel() {
        return super.findSummaryModel();
    }

    private Predicted predicted(Dataset<?> rows) {
        Tuple3<?, ?, ?> named = findSummaryModel();
        return Predicted.of((Transformer) named._1(), settings, rows, (String) named._3(), (String) named._2());
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

    /** Adds the columns that Spark's own models add, with the same metadata, from one scoring of each row. */
    @Override
    public Dataset<Row> transform(Dataset<?> rows) {
        StructType schema = transformSchema(rows.schema());
        double[] multiples = isDefined(thresholds()) ? getThresholds() : null;
        Check.that(
                multiples == null || multiples.length == numClasses(),
                "thresholds: there must be one for each of the %d classes, got %d",
                numClasses(),
                multiples == null ? 0 : multiples.length);
        return new RowClassification(learnt().scorer, getThreshold(), multiples)
                .addTo(
                        rows,
                        getFeaturesCol(),
                        uid() + "_answer",
                        List.of(getRawPredictionCol(), getProbabilityCol(), getPredictionCol()),
                        schema);
    }

    @Override
    public Vector predictRaw(Vector features) {
        return RowClassification.raw(learnt().scorer.scores(features));
    }

    @Override
    public Vector raw2probabilityInPlace(Vector raw) {
        double[] values = ((DenseVector) raw).values();
        System.arraycopy(meaning(raw).probabilities(0), 0, values, 0, values.length);
        return raw;
    }

    @Override
    public double raw2prediction(Vector raw) {
        return isDefined(thresholds())
                ? super.raw2prediction(raw)
                : meaning(raw).label(0);
    }

    @Override
    public double probability2prediction(Vector probability) {
        return isDefined(thresholds()) || numClasses() > 2
                ? super.probability2prediction(probability)
                : probability.apply(1) >= getThreshold() ? 1 : 0;
    }

    /**
     * Writes the model. The model.json in its folder holds the threshold that decides here, so that it gives the same
     * answers elsewhere.
     */
    @Override
    public MLWriter write() {
        return Saved.writer(this, () -> {
            TrainedModel model = learnt().file.model();
            return new ModelFile(
                    new TrainedModel(
                            model.kind(),
                            model.intercept(),
                            model.theta(),
                            model.scaling(),
                            model.labels(),
                            model.schema(),
                            decisive()),
                    learnt().file.settings(),
                    learnt().file.plugins(),
                    learnt().file.provenance());
        });
    }

    /**
     * Returns the smallest probability of the second of two classes that makes a row that class. Thresholds compare
     * quotients, which are rounded, so the value is found by bisection over the doubles in (0, 1).
     */
    private double decisive() {
        if (!isDefined(thresholds()) || numClasses() > 2) {
            return getThreshold();
        }
        // Positive doubles have the same order as their bits.
        long low = Double.doubleToLongBits(Double.MIN_VALUE);
        long high = Double.doubleToLongBits(Math.nextDown(1.0));
        while (low < high) {
            long middle = (low + high) / 2;
            double p = Double.longBitsToDouble(middle);
            if (probability2prediction(Vectors.dense(1 - p, p)) == 1) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Double.longBitsToDouble(low);
    }

    private Predictions meaning(Vector raw) {
        double[] values = raw.toArray();
        return learnt().scorer
                .read(learnt().scorer.scoresPerRow() == 1 ? new double[] {values[1]} : values, getThreshold());
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + ": uid=" + uid()
                + (learnt == null
                        ? ", not trained"
                        : ", numClasses=" + numClasses() + ", numFeatures=" + numFeatures());
    }
}
