package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.formats.ModelFile;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.ml.classification.OneVsRest;
import org.apache.spark.ml.classification.OneVsRestModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.GeneralizedLinearRegression;
import org.apache.spark.ml.regression.GeneralizedLinearRegressionModel;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The estimators of margins and of counts learn what one process learns; classifiers serve one against the rest. */
class MarginsAndCountsTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** In this process, dealt as the estimators deal. */
    private static TrainingRun here(Dataset data, String model) {
        return Training.of(
                        ContentOrder.sorted(data.withoutGroups()),
                        Plan.defaults()
                                .with("partition", "in-turn")
                                .with("test-share", "0")
                                .with("rounds", "25")
                                .with("workers", "4")
                                .with("model", model))
                .run();
    }

    @Test
    void learnsMarginsAsInOneProcess(@TempDir Path folder) throws IOException {
        Dataset data = Samples.dataset(Seed.of(1), 900, 5);
        var frame = Sparks.frame(spark, data, 3);
        RobustLinearSVC learner = new RobustLinearSVC().setMaxIter(25).setNumWorkers(4);
        RobustLinearSVCModel model = learner.fit(frame);
        Predictions here = here(data, "svm").model().predict(data);
        List<Row> there = model.transform(frame).collectAsList();
        for (int r = 0; r < data.rows(); r++) {
            double score = here.scores()[r];
            assertThat(Laws.bits(there.get(r).<Vector>getAs("rawPrediction").toArray()))
                    .isEqualTo(Laws.bits(new double[] {-score, score}));
            assertThat(there.get(r).<Double>getAs("prediction")).isEqualTo(here.label(r));
        }
        double[] x = data.row(7);
        assertThat(Vectors.dense(x).dot(model.coefficients()) + model.intercept())
                .isCloseTo(model.predictRaw(Vectors.dense(x)).apply(1), within(1e-9));
        assertThat(model.numClasses()).isEqualTo(2);
        assertThat(model.numFeatures()).isEqualTo(5);

        String path = folder.resolve("model").toString();
        model.setThreshold(0.25).save(path);
        RobustLinearSVCModel loaded = RobustLinearSVCModel.load(path);
        assertThat(loaded.getThreshold()).isEqualTo(0.25);
        assertThat(loaded.transform(frame).collectAsList())
                .isEqualTo(model.transform(frame).collectAsList());
        assertThat(loaded.summary().rounds()).isEqualTo(model.summary().rounds());
        learner.setThreshold(-1).save(folder.resolve("learner").toString());
        assertThat(RobustLinearSVC.load(folder.resolve("learner").toString()).getThreshold())
                .isEqualTo(-1);
    }

    @Test
    void aThresholdOnTheRawPredictionDecides() {
        var frame = Sparks.frame(spark, Samples.dataset(Seed.of(2), 300, 3), 2);
        RobustLinearSVCModel model = new RobustLinearSVC()
                .setMaxIter(10)
                .setNumWorkers(4)
                .setThreshold(0.5)
                .fit(frame);
        assertThat(model.raw2prediction(Vectors.dense(-0.5, 0.5)))
                .as("at the threshold")
                .isOne();
        for (double threshold : new double[] {0.5, -0.5, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY}) {
            model.setThreshold(threshold);
            long expected = model.transform(frame).select("rawPrediction").collectAsList().stream()
                    .filter(row -> row.<Vector>getAs(0).apply(1) >= threshold)
                    .count();
            assertThat(model.transform(frame).filter("prediction = 1").count()).isEqualTo(expected);
        }
        assertThatThrownBy(() -> model.setThreshold(Double.NaN)).hasMessage("threshold must be a number, got NaN");
    }

    @Test
    void learnsCountsAsInOneProcess(@TempDir Path folder) throws IOException {
        Dataset data = Samples.counts(Seed.of(3), 900, 4);
        var frame = Sparks.frame(spark, data, 3);
        RobustPoissonRegressionModel model =
                new RobustPoissonRegression().setMaxIter(25).setNumWorkers(4).fit(frame);
        Predictions here = here(data, "poisson").model().predict(data);
        List<Row> there = model.transform(frame).collectAsList();
        for (int r = 0; r < data.rows(); r++) {
            assertThat(there.get(r).<Double>getAs("prediction")).isEqualTo(here.label(r));
        }
        double[] x = data.row(7);
        assertThat(Math.exp(Vectors.dense(x).dot(model.coefficients()) + model.intercept()))
                .as("the logarithm is linear")
                .isCloseTo(model.predict(Vectors.dense(x)), within(1e-9));
        assertThat(model.summary().meanAbsoluteError())
                .isCloseTo(
                        model.transform(frame)
                                .selectExpr("avg(abs(prediction - label))")
                                .head()
                                .getDouble(0),
                        within(1e-9));

        String path = folder.resolve("model").toString();
        model.save(path);
        assertThat(RobustPoissonRegressionModel.load(path).transform(frame).collectAsList())
                .isEqualTo(there);
        try (var files = Files.list(folder.resolve("model/data"))) {
            ModelFile file =
                    ModelFile.read(files.filter(f -> f.getFileName().toString().startsWith("part-"))
                            .findFirst()
                            .orElseThrow());
            assertThat(file.model().predict(data).label(5)).isEqualTo(here.label(5));
        }
    }

    @Test
    void plainCountsAreThoseOfSparksGeneralizedLinearRegression() {
        var frame = Sparks.frame(spark, Samples.counts(Seed.of(4), 900, 4), 2);
        RobustPoissonRegressionModel model = new RobustPoissonRegression()
                .setPrice(Double.POSITIVE_INFINITY)
                .setNumWorkers(1)
                .setTolerated(0)
                .setTol(1e-12)
                .setMaxIter(3000)
                .fit(frame);
        GeneralizedLinearRegressionModel theirs = new GeneralizedLinearRegression()
                .setFamily("poisson")
                .setLink("log")
                .fit(frame);
        assertThat(model.coefficients().toArray())
                .containsExactly(theirs.coefficients().toArray(), within(1e-4));
        assertThat(model.intercept()).isCloseTo(theirs.intercept(), within(1e-4));
    }

    @Test
    void refusesLabelsAndModelsOfOtherKinds() {
        var counts = Sparks.frame(spark, Samples.counts(Seed.of(5), 90, 4), 2);
        RobustPoissonRegression counting = new RobustPoissonRegression().setMaxIter(3);
        assertThatThrownBy(() -> counting.fit(counts.withColumn("label", functions.expr("label + 0.5"))))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("row 1: column label must be a count, a whole number from 0, got [0-9]+\\.5");
        assertThatThrownBy(() -> counting.setPlan("model: linear").fit(counts))
                .hasMessage("plan: --model must be poisson, got linear");
        assertThatThrownBy(() -> new RobustLinearSVC().fit(counts))
                .hasMessageMatching("model svm predicts two classes, but label has [0-9]+ classes");
        assertThatThrownBy(
                        () -> new RobustLinearSVC().setPlan("model: logistic").fit(counts))
                .hasMessage("plan: --model must be svm, got logistic");
        assertThat(new RobustLinearSVC()
                        .setPlan("model: svm(smoothing=0.5)")
                        .settings()
                        .plan(null)
                        .settings())
                .as("its parameters may be given")
                .containsEntry("model", "svm(smoothing=0.5)");
    }

    /** About every second row weighs a hundred times as much. */
    @Test
    void oneAgainstTheRestUsesTheWeights() {
        var frame = Sparks.frame(spark, Samples.classes(Seed.of(6), 600, 3, 3, 0), 2)
                .withColumn("weight", functions.expr("1 + 99 * pmod(hash(features), 2)"))
                .cache();
        RobustLogisticRegression learner =
                new RobustLogisticRegression().setMaxIter(15).setNumWorkers(4);
        OneVsRestModel weighted =
                new OneVsRest().setClassifier(learner).setWeightCol("weight").fit(frame);
        OneVsRestModel same = new OneVsRest()
                .setClassifier(learner)
                .setWeightCol("weight")
                .fit(frame.withColumn("weight", functions.lit(1.0)));
        for (int c = 0; c < 3; c++) {
            var relabelled = frame.withColumn("label", functions.expr("if(label = " + c + ", 1.0, 0.0)"));
            RobustLogisticRegressionModel one = (RobustLogisticRegressionModel) weighted.models()[c];
            assertThat(one.coefficients())
                    .isEqualTo(learner.copy(new ParamMap())
                            .setWeightCol("weight")
                            .fit(relabelled)
                            .coefficients())
                    .isNotEqualTo(((RobustLogisticRegressionModel) same.models()[c]).coefficients());
            assertThat(one.getWeightCol()).isEqualTo("weight");
            assertThat(((RobustLogisticRegressionModel) same.models()[c]).coefficients())
                    .isEqualTo(learner.fit(relabelled).coefficients());
        }
        assertThat(weighted.transform(frame).filter("prediction = label").count())
                .isGreaterThan(300);
    }
}
