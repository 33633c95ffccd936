package holdfast.spark;

import java.util.Arrays;
import org.apache.spark.mllib.evaluation.RegressionMetrics;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Tuple3;

/**
 * How well a model of numbers does on labelled rows: the metrics of Spark's linear regression. Rows count by their
 * weights if the model's {@code weightCol} is set and the rows have that column.
 */
public class RobustRegressionSummary extends PredictionSummary {
    private static final long serialVersionUID = 1;

    private final boolean throughOrigin;
    private transient RegressionMetrics metrics;

    /** @param throughOrigin whether {@code r2} compares with predicting 0 instead of the mean */
    RobustRegressionSummary(Predicted predicted, boolean throughOrigin) {
        super(predicted);
        this.throughOrigin = throughOrigin;
    }

    private RegressionMetrics metrics() {
        if (metrics == null) {
            boolean weighted = Arrays.asList(predictions().columns()).contains(weightCol());
            metrics = new RegressionMetrics(
                    predictions()
                            .select(
                                    number(predictionCol()),
                                    number(labelCol()),
                                    weighted ? number(weightCol()) : functions.lit(1.0))
                            .javaRDD()
                            .map(row -> new Tuple3<>(row.getDouble(0), row.getDouble(1), row.getDouble(2)))
                            .rdd(),
                    throughOrigin);
        }
        return metrics;
    }

    private Column number(String column) {
        return predictions().col("`" + column.replace("`", "``") + "`").cast(DataTypes.DoubleType);
    }

    public double meanSquaredError() {
        return metrics().meanSquaredError();
    }

    public double rootMeanSquaredError() {
        return metrics().rootMeanSquaredError();
    }

    public double meanAbsoluteError() {
        return metrics().meanAbsoluteError();
    }

    /** R^2, the coefficient of determination; without an intercept, compared with predicting 0. */
    public double r2() {
        return metrics().r2();
    }

    /** The mean of (prediction - mean label)^2. */
    public double explainedVariance() {
        return metrics().explainedVariance();
    }
}
