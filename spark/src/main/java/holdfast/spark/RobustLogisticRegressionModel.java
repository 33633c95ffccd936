package holdfast.spark;

import holdfast.evaluation.Coefficients;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;

/**
 * The model that {@link RobustLogisticRegression} trains. Raw predictions of a binomial model are (-u, u), where u is
 * the logarithm of the odds of class 1; those of a multinomial model are one score per class.
 */
public final class RobustLogisticRegressionModel extends RobustProbabilisticModel<RobustLogisticRegressionModel>
        implements RobustLinearParams {
    private static final long serialVersionUID = 1;

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustLogisticRegressionModel() {
        this(null, null);
    }

    RobustLogisticRegressionModel(Uid given, Learnt learnt) {
        super(learnt);
    }

    @Override
    String uidPrefix() {
        return "robustLogReg";
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
}
