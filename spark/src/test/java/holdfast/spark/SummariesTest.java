package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.formats.SummaryFile;
import holdfast.sources.Finding;
import holdfast.sources.Verdict;
import holdfast.testkit.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.ml.classification.BinaryLogisticRegressionSummary;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.LogisticRegressionSummary;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.regression.LinearRegressionSummary;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Summaries have the metrics of Spark's own models with the same coefficients. */
class SummariesTest {
    private static final Offset<Double> ROUNDING = within(1e-12);
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** With weights that are far from equal. */
    private static org.apache.spark.sql.Dataset<Row> weighted(Dataset data) {
        return Sparks.frame(spark, data, 3).withColumn("weight", functions.expr("1 + 9 * pmod(hash(features), 2)"));
    }

    private static void same(RobustClassificationSummary ours, LogisticRegressionSummary spark) {
        assertThat(ours.labels()).containsExactly(spark.labels());
        assertThat(ours.accuracy()).isEqualTo(spark.accuracy(), ROUNDING);
        assertThat(ours.truePositiveRateByLabel()).containsExactly(spark.truePositiveRateByLabel(), ROUNDING);
        assertThat(ours.falsePositiveRateByLabel()).containsExactly(spark.falsePositiveRateByLabel(), ROUNDING);
        assertThat(ours.precisionByLabel()).containsExactly(spark.precisionByLabel(), ROUNDING);
        assertThat(ours.recallByLabel()).containsExactly(spark.recallByLabel(), ROUNDING);
        assertThat(ours.fMeasureByLabel()).containsExactly(spark.fMeasureByLabel(), ROUNDING);
        assertThat(ours.fMeasureByLabel(2)).containsExactly(spark.fMeasureByLabel(2), ROUNDING);
        assertThat(ours.weightedTruePositiveRate()).isEqualTo(spark.weightedTruePositiveRate(), ROUNDING);
        assertThat(ours.weightedFalsePositiveRate()).isEqualTo(spark.weightedFalsePositiveRate(), ROUNDING);
        assertThat(ours.weightedPrecision()).isEqualTo(spark.weightedPrecision(), ROUNDING);
        assertThat(ours.weightedRecall()).isEqualTo(spark.weightedRecall(), ROUNDING);
        assertThat(ours.weightedFMeasure()).isEqualTo(spark.weightedFMeasure(), ROUNDING);
        assertThat(ours.labelCol()).isEqualTo("label");
        assertThat(ours.featuresCol()).isEqualTo("features");
    }

    /** The weighted share of the rows for which a condition holds. */
    private static double share(org.apache.spark.sql.Dataset<Row> rows, String condition, String weight) {
        Row sums = rows.selectExpr("sum(if(" + condition + ", " + weight + ", 0))", "sum(" + weight + ")")
                .head();
        return sums.<Number>getAs(0).doubleValue() / sums.<Number>getAs(1).doubleValue();
    }

    @Test
    void twoClassesAreMeasuredAsBySpark() {
        var frame = weighted(Samples.dataset(Seed.of(1), 900, 3));
        for (String weightCol : new String[] {null, "weight"}) {
            RobustLogisticRegression learner =
                    new RobustLogisticRegression().setMaxIter(20).setNumWorkers(4);
            RobustLogisticRegressionModel model =
                    (weightCol == null ? learner : learner.setWeightCol(weightCol)).fit(frame);
            LogisticRegressionModel theirs =
                    new LogisticRegressionModel("theirs", model.coefficients(), model.intercept());
            if (weightCol != null) {
                theirs.set(theirs.weightCol(), weightCol);
            }
            BinaryLogisticRegressionSummary expected = theirs.evaluate(frame).asBinary();
            for (RobustClassificationSummary ours : List.of(model.summary(), model.evaluate(frame))) {
                same(ours, expected);
                assertThat(ours.areaUnderROC()).isEqualTo(expected.areaUnderROC(), ROUNDING);
                assertThat(ours.roc().collectAsList()).isEqualTo(expected.roc().collectAsList());
                assertThat(ours.pr().collectAsList()).isEqualTo(expected.pr().collectAsList());
                assertThat(ours.scoreCol()).isEqualTo("probability");
                assertThat(ours.weightCol()).isEqualTo(weightCol == null ? "" : weightCol);
                assertThat(ours.accuracy())
                        .as("by hand")
                        .isEqualTo(
                                share(ours.predictions(), "prediction = label", weightCol == null ? "1" : weightCol),
                                ROUNDING);
                assertThat(ours.areaUnderPR()).isEqualTo(area(ours.pr().collectAsList()), ROUNDING);
                assertThat(ours.predictions().count()).isEqualTo(900);
            }
            assertThat(model.summary().totalIterations())
                    .isEqualTo(model.summary().rounds())
                    .isPositive();
        }
    }

    /** By the trapezoidal rule. */
    private static double area(List<Row> curve) {
        return IntStream.range(1, curve.size())
                .mapToDouble(i -> (curve.get(i).getDouble(0) - curve.get(i - 1).getDouble(0))
                        * (curve.get(i).getDouble(1) + curve.get(i - 1).getDouble(1))
                        / 2)
                .sum();
    }

    @Test
    void manyClassesAreMeasuredAsBySpark() {
        var frame = weighted(Samples.classes(Seed.of(2), 600, 4, 3, 0));
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(20)
                .setNumWorkers(4)
                .setWeightCol("weight")
                .fit(frame);
        LogisticRegressionModel theirs = new LogisticRegressionModel(
                "theirs", model.coefficientMatrix(), model.interceptVector(), model.numClasses(), true);
        theirs.set(theirs.weightCol(), "weight");
        same(model.evaluate(frame), theirs.evaluate(frame));
        same(model.summary(), theirs.evaluate(frame));
        assertThatThrownBy(() -> model.summary().roc())
                .hasMessage("curves and the areas under them need two classes, but the model has 3");
        assertThatThrownBy(() -> model.summary().areaUnderPR()).hasMessageContaining("need two classes");
    }

    @Test
    void marginsAreMeasuredByTheirOwnScores() {
        var frame = weighted(Samples.dataset(Seed.of(3), 500, 3));
        RobustLinearSVCModel model =
                new RobustLinearSVC().setMaxIter(20).setNumWorkers(4).fit(frame);
        LogisticRegressionModel ranked = new LogisticRegressionModel("ranked", model.coefficients(), model.intercept());
        assertThat(model.summary().scoreCol()).isEqualTo("rawPrediction");
        same(model.summary(), ranked.evaluate(frame));
        assertThat(model.summary().areaUnderROC())
                .as("a logistic function does not change the order of the rows")
                .isEqualTo(ranked.evaluate(frame).asBinary().areaUnderROC(), within(1e-3));
    }

    @Test
    void numbersAreMeasuredAsBySpark() {
        var frame = weighted(Samples.numbers(Seed.of(4), 500, 3, 0)).withColumn("label", functions.expr("label + 5"));
        for (String weightCol : new String[] {null, "weight"}) {
            for (boolean intercept : new boolean[] {true, false}) {
                RobustLinearRegression learner = new RobustLinearRegression()
                        .setMaxIter(50)
                        .setNumWorkers(4)
                        .setFitIntercept(intercept);
                RobustLinearRegressionModel model =
                        (weightCol == null ? learner : learner.setWeightCol(weightCol)).fit(frame);
                LinearRegressionModel theirs =
                        new LinearRegressionModel("theirs", model.coefficients(), model.intercept());
                theirs.set(theirs.fitIntercept(), intercept);
                if (weightCol != null) {
                    theirs.set(theirs.weightCol(), weightCol);
                }
                LinearRegressionSummary expected = theirs.evaluate(frame);
                String weight = weightCol == null ? "1" : weightCol;
                for (RobustRegressionSummary ours : List.of(model.summary(), model.evaluate(frame))) {
                    assertThat(ours.meanSquaredError()).isEqualTo(expected.meanSquaredError(), within(1e-9));
                    assertThat(ours.rootMeanSquaredError()).isEqualTo(expected.rootMeanSquaredError(), within(1e-9));
                    assertThat(ours.meanAbsoluteError()).isEqualTo(expected.meanAbsoluteError(), within(1e-9));
                    assertThat(ours.r2()).isEqualTo(expected.r2(), within(1e-9));
                    assertThat(ours.explainedVariance()).isEqualTo(expected.explainedVariance(), within(1e-9));
                    assertThat(ours.meanAbsoluteError())
                            .as("by hand")
                            .isEqualTo(
                                    ours.predictions()
                                            .selectExpr("sum(" + weight + " * abs(prediction - label)) / sum(" + weight
                                                    + ")")
                                            .head()
                                            .getDouble(0),
                                    within(1e-9));
                    assertThat(ours.predictionCol()).isEqualTo("prediction");
                }
            }
        }
    }

    /** What training leaves out, the summary leaves out too. */
    @Test
    void unusableSourcesAndRowsOfWeightZeroAreNotMeasured() {
        var good = Sparks.frame(spark, Samples.dataset(Seed.of(9), 800, 2, 8), 2);
        RobustLogisticRegression learner = new RobustLogisticRegression()
                .setMaxIter(5)
                .setTolerated(2)
                .setWorkerCol("source")
                .setWeightCol("weight");
        long usable = good.filter("source <> 's2'").count();
        for (String wrong :
                List.of("null, 0.0D, 1.0D, 's2'", "features, null, 1.0D, 's2'", "features, 0.0D, -1.0D, 's2'")) {
            String[] cells = wrong.split(", ");
            var bad = good.limit(1)
                    .selectExpr(
                            cells[0].equals("null") ? "if(false, features, null) as features" : "features",
                            "double(" + cells[1] + ") as label",
                            cells[2] + " as weight",
                            cells[3] + " as source");
            RobustLogisticRegressionModel model = learner.fit(
                    good.select("features", "label", "weight", "source").union(bad));
            assertThat(model.summary().unusable()).hasSize(1);
            assertThat(model.summary().predictions().count()).as(wrong).isEqualTo(usable);
            assertThat(model.summary().accuracy()).isBetween(0.5, 1.0);
        }
        var weightless = good.limit(1).selectExpr("features", "7.0D as label", "0.0D as weight", "'s9' as source");
        var rows = good.select("features", "label", "weight", "source").union(weightless);
        RobustLogisticRegressionModel model = learner.fit(rows);
        assertThat(model.summary().labels()).containsExactly(0, 1);
        assertThat(model.evaluate(rows).weightedFMeasure())
                .isEqualTo(model.evaluate(good).weightedFMeasure());
        assertThat(model.summary().ledger()).hasSize(8);
    }

    @Test
    void rowsWithoutLabelsAreRefusedAndRowsWithoutWeightsCountTheSame() {
        var frame = weighted(Samples.dataset(Seed.of(5), 300, 3));
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(5)
                .setNumWorkers(4)
                .setWeightCol("weight")
                .fit(frame);
        assertThatThrownBy(() -> model.evaluate(frame.drop("label")))
                .hasMessage("there must be a column label with the labels; there are features, weight, source");
        assertThat(model.evaluate(frame.drop("weight")).accuracy())
                .isEqualTo(share(model.transform(frame), "prediction = label", "1"), ROUNDING);
    }

    @Test
    void aModelWithoutNamesForItsColumnsIsMeasuredToo() {
        var frame = weighted(Samples.dataset(Seed.of(6), 300, 3));
        RobustLogisticRegression learner =
                new RobustLogisticRegression().setMaxIter(5).setNumWorkers(4);
        double expected = learner.fit(frame).summary().areaUnderROC();
        RobustClassificationSummary unnamed = learner.setProbabilityCol("")
                .setPredictionCol("")
                .setRawPredictionCol("")
                .fit(frame)
                .summary();
        assertThat(unnamed.areaUnderROC()).isEqualTo(expected, within(1e-3));
        assertThat(unnamed.predictionCol()).startsWith("prediction");
        RobustRegressionSummary number = new RobustLinearRegression()
                .setMaxIter(5)
                .setPredictionCol("")
                .fit(frame)
                .summary();
        assertThat(number.predictionCol()).startsWith("prediction_");
        assertThat(number.meanSquaredError()).isPositive();
    }

    @Test
    void theSummaryIsThatOfTheParamsAtTheTimeOfTraining() {
        var frame = weighted(Samples.dataset(Seed.of(7), 300, 3));
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(5)
                .setNumWorkers(4)
                .setThreshold(0.9)
                .fit(frame);
        long positive = model.summary().predictions().filter("prediction = 1").count();
        RobustLogisticRegressionModel copy = model.copy(new ParamMap()).setThreshold(0.1);
        assertThat(copy.hasSummary()).isTrue();
        assertThat(copy.summary().predictions().filter("prediction = 1").count())
                .isEqualTo(positive);
        assertThat(copy.evaluate(frame).predictions().filter("prediction = 1").count())
                .isGreaterThan(positive);
    }

    /** Source s2 has its labels the wrong way round, and s5 has weights below 0. */
    @Test
    void verdictsAndLedgerAreDataFramesThatAreSavedAndLoaded(@TempDir Path folder) throws Exception {
        Dataset data = Samples.dataset(Seed.of(8), 3000, 3, 10);
        var frame = Sparks.frame(spark, data, 3)
                .withColumn("label", functions.expr("if(source = 's2', 1 - label, label)"))
                .withColumn("weight", functions.expr("if(source = 's5' and label = 1, -1, weight)"));
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(20)
                .setTolerated(3)
                .setWorkerCol("source")
                .setWeightCol("weight")
                .fit(frame);
        model.save(folder.resolve("model").toString());
        RobustLogisticRegressionModel loaded =
                RobustLogisticRegressionModel.load(folder.resolve("model").toString());
        for (RobustSummary summary : List.of(model.summary(), loaded.summary())) {
            var verdicts = summary.verdictsFrame();
            assertThat(verdicts.columns())
                    .containsExactly("source", "agreement", "verdict", "kind", "column", "finding", "pValue");
            Row suspect = verdicts.filter("verdict = 'suspect'").collectAsList().get(0);
            assertThat(suspect.getString(0)).isEqualTo("s2");
            assertThat(suspect.getDouble(1)).as("below chance").isLessThan(0.5);
            assertThat(suspect.getString(3)).isEqualTo("contradiction");
            assertThat(suspect.getDouble(6)).isLessThan(0.005);
            Row unusable =
                    verdicts.filter("verdict = 'unusable'").collectAsList().get(0);
            assertThat(unusable.getString(0)).isEqualTo("s5");
            assertThat(unusable.getString(5)).contains("column weight must be finite and >= 0, got -1");
            assertThat(verdicts.filter("verdict is null and pValue is null and agreement > 0.5")
                            .select("source")
                            .distinct()
                            .count())
                    .as("sources that do not stand out")
                    .isGreaterThanOrEqualTo(6);
            assertThat(verdicts.select("source").distinct().count()).isEqualTo(10);
            var ledger = summary.ledgerFrame();
            assertThat(ledger.columns()).containsExactly("worker", "rounds", "screened", "failed", "medianNormRatio");
            assertThat(ledger.filter("failed = rounds and medianNormRatio is null")
                            .select("worker")
                            .collectAsList())
                    .extracting(row -> row.getString(0))
                    .containsExactly("s5");
            assertThat(ledger.filter("rounds = " + summary.rounds() + " and medianNormRatio > 0")
                            .count())
                    .isEqualTo(9);
        }
        assertThat(loaded.summary().verdicts()).isEqualTo(model.summary().verdicts());
        assertThat(loaded.summary()).hasToString(model.summary().toString());
        assertThat(loaded.evaluate(frame.filter("source <> 's2'")).accuracy()).isGreaterThan(0.7);
    }

    @Test
    void anAgreementThatIsNotKnownIsNull() {
        Finding shifted = new Finding(1, Finding.Kind.SHIFT, Optional.of("age"), "shifted", 0.001);
        SummaryFile file = new SummaryFile(
                1,
                false,
                new double[0],
                0,
                1,
                List.of(),
                List.of(
                        new Verdict("a", List.of(), Double.NaN),
                        new Verdict("b", List.of(shifted), Double.NaN),
                        new Verdict("c", List.of(), 0.75)),
                List.of(),
                "");
        RobustSummary summary = () -> file;
        assertThat(summary.verdictsFrame().select("agreement").collectAsList())
                .extracting(row -> row.get(0))
                .containsExactly(null, null, 0.75);
    }

    @Test
    void aModelThatIsSentElsewhereHasNoSummary() {
        var frame = weighted(Samples.dataset(Seed.of(9), 300, 3));
        RobustLogisticRegressionModel model =
                new RobustLogisticRegression().setMaxIter(5).setNumWorkers(4).fit(frame);
        RobustLogisticRegressionModel sent = Sparks.travelled(model);
        assertThat(sent.hasSummary()).isFalse();
        assertThat(sent.predict(Vectors.dense(1, 2, 3))).isEqualTo(model.predict(Vectors.dense(1, 2, 3)));
    }
}
