package holdfast.spark;

import holdfast.evaluation.Predictions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Computes raw prediction, probabilities and prediction of a row from one scoring. Spark's own models have a function
 * for each, which reads again what the one before has written.
 *
 * @param thresholds decide in place of the threshold; null if there are none
 */
record RowClassification(Scorer scorer, double threshold, double[] thresholds) implements UDF1<Vector, Row> {
    private static final StructType ANSWER = new StructType()
            .add("raw", SQLDataTypes.VectorType())
            .add("probability", SQLDataTypes.VectorType())
            .add("prediction", DataTypes.DoubleType, false);

    @Override
    public Row call(Vector features) {
        double[] scores = scorer.scores(features);
        Predictions meaning = scorer.read(scores, threshold);
        double[] probabilities = meaning.probabilities(0);
        return RowFactory.create(
                raw(scores),
                new DenseVector(probabilities),
                thresholds == null ? meaning.label(0) : likeliest(probabilities));
    }

    /** Returns the raw prediction as Spark has it: one number per class. */
    static Vector raw(double[] scores) {
        return new DenseVector(scores.length == 1 ? new double[] {-scores[0], scores[0]} : scores);
    }

    /** Returns the class whose probability is the largest multiple of its threshold, the first of several. */
    private double likeliest(double[] probabilities) {
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < probabilities.length; c++) {
            // As in Spark, 0/0 is not the largest.
            double multiple = probabilities[c] / thresholds[c];
            if (multiple > most) {
                most = multiple;
                best = c;
            }
        }
        return best;
    }

    /**
     * Adds columns with the answers to rows.
     *
     * @param features the column of the rows to score
     * @param whole the name of a column that the rows do not have, for all answers together
     * @param names of the columns for raw prediction, probabilities and prediction; an empty name leaves one out
     * @param schema has the metadata of these columns
     */
    Dataset<Row> addTo(Dataset<?> rows, String features, String whole, List<String> names, StructType schema) {
        UserDefinedFunction answer = functions.udf(this, ANSWER).asNonNullable();
        Dataset<Row> scored = rows.withColumn(whole, answer.apply(functions.col(features)));
        Stream<Column> added = IntStream.range(0, names.size())
                .filter(i -> !names.get(i).isEmpty())
                .mapToObj(i -> {
                    StructField field = schema.apply(names.get(i));
                    return scored.col(whole).getField(ANSWER.fieldNames()[i]).as(field.name(), field.metadata());
                });
        return scored.select(Stream.concat(Stream.of(functions.col("*")), added).toArray(Column[]::new))
                .drop(whole);
    }
}
