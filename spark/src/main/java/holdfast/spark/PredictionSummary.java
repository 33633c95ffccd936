package holdfast.spark;

import java.io.Serializable;
import org.apache.spark.ml.util.Summary;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What a model predicts for labelled rows, which metrics are computed from. */
abstract class PredictionSummary implements Summary, Serializable {
    private static final long serialVersionUID = 1;

    /** Stays on the driver. */
    final transient Predicted predicted;

    PredictionSummary(Predicted predicted) {
        this.predicted = predicted;
    }

    /**
     * The rows with what the model predicts for them.
     *
     * @throws IllegalStateException for the summary of a model that was loaded
     */
    public Dataset<Row> predictions() {
        if (predicted.rows() == null) {
            throw new IllegalStateException(
                    "the predictions of the training rows are not saved with a model, nor are the"
                            + " metrics that need them; use evaluate");
        }
        return predicted.rows();
    }

    public String featuresCol() {
        return predicted.columns().features();
    }

    public String labelCol() {
        return predicted.columns().label();
    }

    /** The column whose numbers weigh the rows in the metrics; empty if they weigh the same. */
    public String weightCol() {
        String weight = predicted.columns().weight();
        return weight == null ? "" : weight;
    }

    public String predictionCol() {
        return predicted.prediction();
    }
}
