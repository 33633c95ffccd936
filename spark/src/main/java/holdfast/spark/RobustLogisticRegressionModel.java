package holdfast.spark;

import holdfast.Check;
import holdfast.evaluation.Coefficients;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.ModelFile;
import holdfast.formats.SummaryFile;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import scala.Tuple3;

/**
 * The model that {@link RobustLogisticRegression} trains. Raw predictions of a binomial model are (-u, u), where u is
 * the logarithm of the odds of class 1; those of a multinomial model are one score per class.
 */
public final class RobustLogisticRegressionModel
        extends ProbabilisticClassificationModel<Vector, RobustLogisticRegressionModel>
        implements RobustModel<RobustClassificationTrainingSummary>, SharedParams.Threshold {
    private static final long serialVersionUID = 1;

    /** Has no initial value: uid() sets it while Spark's constructors run, and an initialiser would undo that. */
    private String uid;

    private final Settings settings = new Settings(this);
    private final DoubleParam threshold = RobustLogisticRegression.threshold(this);
    private final Learnt learnt;

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustLogisticRegressionModel() {
        this(null, null);
    }

    RobustLogisticRegressionModel(Uid given, Learnt learnt) {
        this.learnt = learnt;
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

    /** @hidden */
    @Override
    public Learnt learnt() {
        return Learnt.of(learnt);
    }

    /** See {@link RobustLogisticRegression#threshold()}. */
    @Override
    public DoubleParam threshold() {
        return threshold;
    }

    /** Sets the threshold and clears {@code thresholds}, which would win. */
    public RobustLogisticRegressionModel setThreshold(double value) {
        clear(thresholds());
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

    /** The coefficients for unscaled features: one row for a binomial model, else one row per class. */
    public Matrix coefficientMatrix() {
        List<Coefficients> rows = learnt().scorer.coefficients();
        double[] flat = rows.stream()
                .flatMapToDouble(row -> Arrays.stream(row.values()))
                .toArray();
        return new DenseMatrix(rows.size(), numFeatures(), flat, true);
    }

    public Vector interceptVector() {
        return Vectors.dense(learnt().scorer.coefficients().stream()
                .mapToDouble(Coefficients::intercept)
                .toArray());
    }

    /** The coefficients of a binomial model for unscaled features. */
    public Vector coefficients() {
        requireBeBinomial("coefficientMatrix");
        return Vectors.dense(learnt().scorer.coefficients().get(0).values());
    }

    public double intercept() {
        requireBeBinomial("interceptVector");
        return learnt().scorer.coefficients().get(0).intercept();
    }

    private void requireBeBinomial(String instead) {
        if (learnt().scorer.scoresPerRow() > 1) {
            throw new IllegalStateException("a multinomial model has one of each per class: use " + instead);
        }
    }

    /** Spark declares this in two classes with result types that Java considers different; the raw type fits both. */
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public Tuple3 findSummaryModel() {
        return super.findSummaryModel();
    }

    private Predicted predicted(Dataset<?> rows) {
        Tuple3<?, ?, ?> named = findSummaryModel();
        return Predicted.of(
                (RobustLogisticRegressionModel) named._1(), settings, rows, (String) named._3(), (String) named._2());
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
    public RobustLogisticRegressionModel copy(ParamMap extra) {
        return copyValues(new RobustLogisticRegressionModel(Uid.of(uid()), learnt().copy()), extra)
                .setParent(parent());
    }

    public static MLReader<RobustLogisticRegressionModel> read() {
        return Saved.reader(RobustLogisticRegressionModel.class, RobustLogisticRegressionModel::new);
    }

    public static RobustLogisticRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "RobustLogisticRegressionModel: uid=" + uid()
                + (learnt == null
                        ? ", not trained"
                        : ", numClasses=" + numClasses() + ", numFeatures=" + numFeatures());
    }
}
