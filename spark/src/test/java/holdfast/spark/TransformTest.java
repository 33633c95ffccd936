package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What transform adds to rows, compared with Spark's own models and with the model's answers for single rows. */
class TransformTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Dataset<Row> rows(int classes) {
        return Sparks.frame(spark, Samples.classes(Seed.of(2), 300, 4, classes, 0), 2);
    }

    private static RobustLogisticRegressionModel fitted(Dataset<Row> rows) {
        return new RobustLogisticRegression().setMaxIter(5).setNumWorkers(4).fit(rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void addsTheColumnsOfSparksOwnModels(int classes) {
        Dataset<Row> rows = rows(classes);
        RobustLogisticRegressionModel ours = fitted(rows);
        LogisticRegressionModel theirs = new LogisticRegression().setMaxIter(2).fit(rows);
        for (String raw : List.of("rawPrediction", "")) {
            for (String probability : List.of("likely", "")) {
                for (String prediction : List.of("prediction", "")) {
                    // Spark compares names, types, whether values may be null, and metadata.
                    assertThat(ours.setRawPredictionCol(raw)
                                    .setProbabilityCol(probability)
                                    .setPredictionCol(prediction)
                                    .transform(rows)
                                    .schema())
                            .isEqualTo(theirs.setRawPredictionCol(raw)
                                    .setProbabilityCol(probability)
                                    .setPredictionCol(prediction)
                                    .transform(rows)
                                    .schema());
                }
            }
        }
        assertThatThrownBy(() -> ours.setPredictionCol("label").transform(rows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label already exists");
    }

    @Test
    void addsTheColumnOfSparksLinearModel() {
        Dataset<Row> rows = rows(2);
        assertThat(new RobustLinearRegression()
                        .setMaxIter(2)
                        .setNumWorkers(4)
                        .fit(rows)
                        .transform(rows)
                        .schema())
                .isEqualTo(new LinearRegression()
                        .setMaxIter(2)
                        .fit(rows)
                        .transform(rows)
                        .schema());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void columnsHoldTheAnswersForSingleRows(int classes) {
        Dataset<Row> rows = rows(classes);
        RobustLogisticRegressionModel model = fitted(rows);
        answersAreThoseForSingleRows(model, rows);
        double[] before = counts(model, rows, classes);
        double[] thresholds = classes == 2 ? new double[] {0.2, 0.8} : new double[] {0.1, 0.3, 0.6};
        model.setThresholds(thresholds);
        answersAreThoseForSingleRows(model, rows);
        assertThat(counts(model, rows, classes)[0]).isGreaterThan(before[0]);
        thresholds[classes - 1] = 0;
        model.setThresholds(thresholds);
        answersAreThoseForSingleRows(model, rows);
        assertThat(counts(model, rows, classes)[classes - 1]).isEqualTo(300);
    }

    private static double[] counts(RobustLogisticRegressionModel model, Dataset<Row> rows, int classes) {
        double[] counts = new double[classes];
        model.transform(rows)
                .collectAsList()
                .forEach(row -> counts[(int) row.<Double>getAs("prediction").doubleValue()]++);
        return counts;
    }

    private static void answersAreThoseForSingleRows(RobustLogisticRegressionModel model, Dataset<Row> rows) {
        for (Row row : model.transform(rows).collectAsList()) {
            Vector features = row.getAs("features");
            assertThat(row.<Vector>getAs("rawPrediction")).isEqualTo(model.predictRaw(features));
            assertThat(row.<Vector>getAs("probability")).isEqualTo(model.predictProbability(features));
            assertThat(row.<Double>getAs("prediction")).isEqualTo(model.predict(features));
            assertThat(model.probability2prediction(row.getAs("probability"))).isEqualTo(model.predict(features));
        }
    }

    /** Spark's rule for single rows says so too: 0/0 is not the largest multiple of a threshold. */
    @Test
    void aClassOfProbabilityZeroIsNotPredictedForItsThresholdOfZero() {
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(5)
                .setNumWorkers(4)
                .setScale("none") // Otherwise values far away are clipped.
                .fit(rows(2))
                .setThresholds(new double[] {1, 0});
        Vector far = Vectors.dense(Arrays.stream(model.coefficients().toArray())
                .map(w -> -1e6 * Math.signum(w))
                .toArray());
        Row answer = model.transform(spark.createDataFrame(
                        List.of(RowFactory.create(far)), new StructType().add("features", SQLDataTypes.VectorType())))
                .head();
        assertThat(answer.<Vector>getAs("probability")).isEqualTo(Vectors.dense(1, 0));
        assertThat(answer.<Double>getAs("prediction")).isZero().isEqualTo(model.predict(far));
    }

    @Test
    void laterChangesOfTheModelDoNotReachRowsAlreadyAskedFor() {
        Dataset<Row> rows = rows(2);
        RobustLogisticRegressionModel model = fitted(rows).setThreshold(1e-9);
        Dataset<Row> answers = model.transform(rows);
        model.setThreshold(1 - 1e-9);
        assertThat(answers.filter("prediction = 1").count()).isEqualTo(300);
    }

    @Test
    void scoresARowOnceWhateverIsReadOfIt() {
        Dataset<Row> answers = fitted(rows(2)).transform(rows(2));
        for (Dataset<Row> read :
                List.of(answers, answers.select("prediction"), answers.select("probability", "label"))) {
            assertThat(read.queryExecution().optimizedPlan().toString()).containsOnlyOnce("UDF(");
        }
    }

    @Test
    void thereMustBeAThresholdForEachClass() {
        Dataset<Row> rows = rows(3);
        RobustLogisticRegressionModel model = fitted(rows);
        ParamMap tooFew = new ParamMap().put(model.thresholds(), new double[] {0.5, 0.5});
        assertThatThrownBy(() -> model.transform(rows, tooFew))
                .isInstanceOf(InputException.class)
                .hasMessage("thresholds: there must be one for each of the 3 classes, got 2");
    }
}
