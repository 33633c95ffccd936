package holdfast.spark;

import org.apache.spark.ml.classification.BinaryClassificationSummary;
import org.apache.spark.ml.classification.ClassificationSummary;
import org.apache.spark.mllib.evaluation.BinaryClassificationMetrics;
import org.apache.spark.mllib.evaluation.MulticlassMetrics;
import org.apache.spark.sql.SparkSession;

/**
 * How well a classifier does on labelled rows: the metrics of Spark's own classifiers. Those of
 * {@link BinaryClassificationSummary}, such as {@code roc}, need two classes. Rows count by their weights if the
 * model's {@code weightCol} is set and the rows have that column.
 */
public class RobustClassificationSummary extends PredictionSummary implements BinaryClassificationSummary {
    private static final long serialVersionUID = 1;

    private final int classes;
    private transient MulticlassMetrics multiclass;
    private transient BinaryClassificationMetrics binary;

    RobustClassificationSummary(Predicted predicted, int classes) {
        super(predicted);
        this.classes = classes;
    }

    /** The column whose vectors rank the rows: probabilities, or raw predictions where there are none. */
    @Override
    public String scoreCol() {
        return predicted.score();
    }

    /** The area under the curve of {@code pr}. */
    public double areaUnderPR() {
        return org$apache$spark$ml$classification$BinaryClassificationSummary$$binaryMetrics()
                .areaUnderPR();
    }

    // The private values of Spark's traits, whose initialisers make them: here when they are first needed.

    /** @hidden */
    @Override
    public MulticlassMetrics org$apache$spark$ml$classification$ClassificationSummary$$multiclassMetrics() {
        if (multiclass == null) {
            ClassificationSummary.$init$(this);
        }
        return multiclass;
    }

    /** @hidden */
    @Override
    public void
            org$apache$spark$ml$classification$ClassificationSummary$_setter_$org$apache$spark$ml$classification$ClassificationSummary$$multiclassMetrics_$eq(
                    MulticlassMetrics metrics) {
        multiclass = metrics;
    }

    /** @hidden */
    @Override
    public BinaryClassificationMetrics org$apache$spark$ml$classification$BinaryClassificationSummary$$binaryMetrics() {
        if (classes != 2) {
            throw new IllegalStateException(
                    "curves and the areas under them need two classes, but the model has " + classes);
        }
        if (binary == null) {
            BinaryClassificationSummary.$init$(this);
        }
        return binary;
    }

    /** @hidden */
    @Override
    public void
            org$apache$spark$ml$classification$BinaryClassificationSummary$_setter_$org$apache$spark$ml$classification$BinaryClassificationSummary$$binaryMetrics_$eq(
                    BinaryClassificationMetrics metrics) {
        binary = metrics;
    }

    /** @hidden */
    @Override
    public SparkSession org$apache$spark$ml$classification$BinaryClassificationSummary$$sparkSession() {
        return predictions().sparkSession();
    }

    /** @hidden */
    @Override
    public void
            org$apache$spark$ml$classification$BinaryClassificationSummary$_setter_$org$apache$spark$ml$classification$BinaryClassificationSummary$$sparkSession_$eq(
                    SparkSession session) {}
}
