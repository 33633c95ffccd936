package holdfast.spark;

import holdfast.Check;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.SparkTable;
import java.util.Arrays;
import org.apache.spark.ml.PredictionModel;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What a model predicts for labelled rows.
 *
 * @param rows with the predictions; null if they are not known any more
 * @param prediction the name of the column
 * @param score the column of vectors whose second number ranks rows of two classes; null if labels are numbers
 */
record Predicted(Dataset<Row> rows, Columns columns, String prediction, String score) {
    /**
     * @param model a model with names for the columns that it adds
     * @param rows null if they are not known any more
     */
    static Predicted of(Transformer model, Settings settings, Dataset<?> rows, String prediction, String score) {
        Columns columns = settings.columns();
        if (rows != null) {
            Check.that(
                    Arrays.asList(rows.columns()).contains(columns.label()),
                    "there must be a column %s with the labels; there are %s",
                    columns.label(),
                    String.join(", ", rows.columns()));
        }
        return new Predicted(
                rows == null ? null : model.transform(SparkTable.weighing(rows.toDF(), columns)),
                columns,
                prediction,
                score);
    }

    /** Does the same for a model of numbers; Spark's classifiers name their columns themselves. */
    static <M extends PredictionModel<Vector, M>> Predicted numbers(M model, Settings settings, Dataset<?> rows) {
        M named = model.getPredictionCol().isEmpty()
                ? model.copy(ParamMap.empty()).setPredictionCol("prediction_" + model.uid())
                : model;
        return of(named, settings, rows, named.getPredictionCol(), null);
    }
}
