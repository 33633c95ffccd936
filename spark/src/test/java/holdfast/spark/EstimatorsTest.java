package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.Predictions;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.spark.engine.Columns;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.feature.StringIndexer;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Estimators learn what one process learns, and predict as it does. */
class EstimatorsTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** In this process, in the order of a DataFrame and dealt as the estimators deal. */
    private static TrainingRun here(Dataset data, String... settings) {
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with("test-share", "0")
                .with("recalibration", "none");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return Training.of(ContentOrder.sorted(plan.bySource() ? data : data.withoutGroups()), plan)
                .run();
    }

    private static RobustLogisticRegression logistic() {
        return new RobustLogisticRegression().setMaxIter(25).setNumWorkers(4);
    }

    private static Dataset numbers(int rows) {
        Randomness random = Seed.of(5).child("numbers").random();
        DatasetBuilder builder = new DatasetBuilder(3);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(3);
            builder.add(x, 100 + 20 * x[0] - 7 * x[2] + (r % 50 == 0 ? 1000 : 3 * random.nextGaussian()));
        }
        return builder.build(new Schema(List.of("a", "b", "c"), "label", List.of(), List.of()), DataSource.MEMORY);
    }

    private static void predictsAs(TrainingRun expected, Dataset data, RobustLogisticRegressionModel model) {
        Predictions here = expected.model().predict(data);
        List<Row> there = model.transform(Sparks.frame(spark, data, 3)).collectAsList();
        int k = here.model().scoresPerRow();
        for (int r = 0; r < data.rows(); r++) {
            double[] scores = Arrays.copyOfRange(here.scores(), r * k, (r + 1) * k);
            double[] raw = k == 1 ? new double[] {-scores[0], scores[0]} : scores;
            Row row = there.get(r);
            assertThat(Laws.bits(vector(row, "rawPrediction"))).isEqualTo(Laws.bits(raw));
            assertThat(Laws.bits(vector(row, "probability"))).isEqualTo(Laws.bits(here.probabilities(r)));
            assertThat(row.<Double>getAs("prediction")).isEqualTo(here.label(r));
        }
        assertThat(model.numFeatures()).isEqualTo(data.columns());
        assertThat(model.numClasses()).isEqualTo(data.schema().classes().size());
        assertThat(model.summary().rounds()).isEqualTo(expected.state().round());
        assertThat(model.summary().objective()).isEqualTo(expected.objective());
        assertThat(model.summary().learningRate()).isEqualTo(expected.learningRate());
        assertThat(model.summary().ledger()).isEqualTo(expected.ledger());
        assertThat(model.summary().guarantee()).isEqualTo(expected.guarantee().toString());
    }

    private static double[] vector(Row row, String column) {
        return row.<Vector>getAs(column).toArray();
    }

    @Test
    void learnsTwoClassesAsInOneProcess() {
        Dataset data = Samples.dataset(Seed.of(1), 900, 5);
        RobustLogisticRegressionModel model = logistic().fit(Sparks.frame(spark, data, 3));
        TrainingRun expected = here(data, "rounds", "25", "workers", "4");
        predictsAs(expected, data, model);
        predictsAs(expected, data.with(r -> r % 3 == 0, 1, 1e4), model);
        assertThat(model.summary().objectiveHistory())
                .as("steps depend on it")
                .hasSize(model.summary().rounds());
        double[] x = data.row(7);
        assertThat(Vectors.dense(x).dot(model.coefficients()) + model.intercept())
                .isCloseTo(model.predictRaw(Vectors.dense(x)).apply(1), within(1e-9));
        assertThat(model.predictRaw(Vectors.dense(x).toSparse()))
                .as("however a row is stored")
                .isEqualTo(model.predictRaw(Vectors.dense(x)));
        assertThat(model.coefficientMatrix().numRows()).isOne();
    }

    @Test
    void learnsFromAllRowsTogetherIfAsked() {
        Dataset data = Samples.dataset(Seed.of(1), 900, 5).with(r -> r % 4 == 1, 2, 1e3);
        RobustLogisticRegressionModel model =
                logistic().setStatistics("pooled").setLearningRate(0.3).fit(Sparks.frame(spark, data, 3));
        predictsAs(
                here(data, "rounds", "25", "workers", "4", "statistics", "pooled", "learning-rate", "0.3"),
                data,
                model);
        assertThat(model.getStatistics()).isEqualTo("pooled");
        assertThat(model.summary().objectiveHistory()).hasSize(3).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThatThrownBy(() -> logistic().setStatistics("poled"))
                .hasMessageContaining("statistics must be one of robust, pooled");
    }

    @Test
    void anAdaptiveRateInThePlanLeavesTheParamUnset() {
        Dataset data = Samples.dataset(Seed.of(1), 400, 2);
        RobustLogisticRegressionModel model = logistic()
                .setPlan("learning-rate: adaptive(first=0.1)\nstatistics: pooled")
                .fit(Sparks.frame(spark, data, 2));
        assertThat(model.isDefined(model.learningRate())).isFalse();
        assertThat(model.getStatistics()).isEqualTo("pooled");
    }

    @Test
    void learnsManyClassesAsInOneProcess() {
        Dataset data = Samples.classes(Seed.of(2), 600, 4, 3, 0);
        RobustLogisticRegressionModel model =
                logistic().setAscentSteps(5).setAscentRate(0.05).setPrice(4).fit(Sparks.frame(spark, data, 2));
        predictsAs(
                here(data, "rounds", "25", "workers", "4", "ascent-steps", "5", "ascent-rate", "0.05", "lambda", "4"),
                data,
                model);
        double[] x = data.row(3);
        Vector scores = model.coefficientMatrix().multiply(Vectors.dense(x));
        for (int c = 0; c < 3; c++) {
            assertThat(scores.apply(c) + model.interceptVector().apply(c))
                    .isCloseTo(model.predictRaw(Vectors.dense(x)).apply(c), within(1e-9));
        }
        assertThatThrownBy(model::coefficients).hasMessageContaining("use coefficientMatrix");
    }

    @Test
    void learnsTwoClassesAsIfTheyWereMany() {
        Dataset data = Samples.dataset(Seed.of(3), 300, 3);
        predictsAs(
                here(data, "rounds", "25", "workers", "4", "model", "softmax"),
                data,
                logistic().setFamily("multinomial").fit(Sparks.frame(spark, data, 2)));
    }

    @Test
    void learnsSparseWeightedRowsOfSourcesAsInOneProcess() {
        Dataset data = Samples.sparse(Seed.of(4), 900, 600, 20);
        RobustLogisticRegressionModel model = logistic()
                .setWorkerCol("source")
                .setWeightCol("weight")
                .setRegParam(0.01)
                .setTol(0)
                .fit(Sparks.frame(spark, data, 3));
        predictsAs(here(data, "rounds", "25", "workers-by", "source", "l2", "0.01", "tolerance", "0"), data, model);
        assertThat(model.summary().ledger()).extracting("worker").containsExactly("s0", "s1", "s2");
    }

    /** The law holds for sources; rows that are dealt in turn are dealt to other workers if there are more of them. */
    @Test
    void aRowOfWeightTwoCountsLikeTwoRowsAndOneOfWeightZeroLikeNone() {
        Dataset data = Samples.dataset(Seed.of(12), 1500, 4)
                .grouped(
                        List.of("a", "b", "c", "d", "e"),
                        IntStream.range(0, 1500).map(r -> r % 5).toArray());
        var frame = Sparks.frame(spark, data, 3)
                .withColumn("weight", functions.expr("pmod(hash(features), 4)"))
                .cache();
        RobustLogisticRegression learner = logistic().setWorkerCol("source").setTol(0);
        RobustLogisticRegressionModel weighed =
                learner.copy(ParamMap.empty()).setWeightCol("weight").fit(frame);
        RobustLogisticRegressionModel repeated =
                learner.fit(frame.withColumn("copy", functions.expr("explode(array_repeat(0, int(weight)))")));
        RobustLogisticRegressionModel alike = learner.fit(frame);
        assertThat(weighed.coefficients().toArray())
                .containsExactly(repeated.coefficients().toArray(), within(1e-10));
        assertThat(weighed.intercept()).isCloseTo(repeated.intercept(), within(1e-10));
        assertThat(alike.intercept()).isNotCloseTo(repeated.intercept(), within(1e-4));
    }

    @Test
    void everyParamReachesThePlan() {
        RobustLogisticRegression all = new RobustLogisticRegression()
                .setMaxIter(7)
                .setTol(0.01)
                .setLearningRate(0.25)
                .setRegParam(0.5)
                .setFitIntercept(false)
                .setScale("sd")
                .setSeed(9)
                .setPrice(Double.POSITIVE_INFINITY)
                .setAscentSteps(3)
                .setAscentRate(0.125)
                .setRule("nnm + trimmed-mean(f=2)")
                .setTolerated("0.2")
                .setStatistics("pooled")
                .setNumWorkers(12)
                .setPlan("attack: aggressive # a comment\nliars: 3\nrounds: 8");
        assertThat(all.settings().plan("softmax"))
                .as("a Param wins over the text")
                .isEqualTo(Plan.defaults()
                        .with("partition", "in-turn")
                        .with("test-share", "0")
                        .with("recalibration", "none")
                        .with("rounds", "7")
                        .with("tolerance", "0.01")
                        .with("learning-rate", "0.25")
                        .with("l2", "0.5")
                        .with("intercept", "false")
                        .with("scale", "sd")
                        .with("seed", "9")
                        .with("lambda", "none")
                        .with("ascent-steps", "3")
                        .with("ascent-rate", "0.125")
                        .with("rule", "nnm + trimmed-mean(f=2)")
                        .with("screened", "0.2")
                        .with("statistics", "pooled")
                        .with("workers", "12")
                        .with("attack", "aggressive")
                        .with("liars", "3")
                        .with("model", "softmax"));
        assertThat(new RobustLinearRegression().setPlan("rounds: 8").settings().plan(null))
                .as("a default does not")
                .isEqualTo(Plan.defaults()
                        .with("partition", "in-turn")
                        .with("test-share", "0")
                        .with("recalibration", "none")
                        .with("rounds", "8"));
        assertThat(all.explainParams())
                .contains("price: transport price (> 0)", "infinity is plain training", "workerCol: ", "family: ");
        assertThat(all.params()).hasSize(17 + 2 + 2 + 6);
    }

    @Test
    void learnsNumbersAsInOneProcess() {
        Dataset data = numbers(500);
        for (String loss : List.of("squaredError", "huber")) {
            RobustLinearRegressionModel model = new RobustLinearRegression()
                    .setLoss(loss)
                    .setNumWorkers(4)
                    .setMaxIter(200)
                    .fit(Sparks.frame(spark, data, 3));
            TrainingRun expected =
                    here(data, "rounds", "200", "workers", "4", "model", loss.equals("huber") ? "huber" : "linear");
            Predictions here = expected.model().predict(data);
            List<Row> there = model.transform(Sparks.frame(spark, data, 3)).collectAsList();
            for (int r = 0; r < data.rows(); r++) {
                assertThat(there.get(r).<Double>getAs("prediction")).isEqualTo(here.label(r));
            }
            double[] x = data.row(11);
            assertThat(Vectors.dense(x).dot(model.coefficients()) + model.intercept())
                    .isCloseTo(model.predict(Vectors.dense(x)), within(1e-9));
            assertThat(model.summary().ledger()).isEqualTo(expected.ledger());
            if (loss.equals("huber")) {
                assertThat(model.intercept()).as("outliers hardly count").isCloseTo(100, within(3.0));
            }
        }
    }

    @Test
    void emptyPartitionsAndOtherColumnsDoNotMatter() {
        Dataset data = Samples.dataset(Seed.of(6), 200, 3);
        var frame = Sparks.frame(spark, data, 2);
        var padded = frame.limit(0)
                .union(frame)
                .union(frame.limit(0))
                .withColumn("more.of it", functions.lit("text"))
                .withColumnRenamed("features", "my features");
        RobustLogisticRegressionModel model =
                logistic().setFeaturesCol("my features").fit(padded);
        assertThat(model.coefficients()).isEqualTo(logistic().fit(frame).coefficients());
        assertThat(model.transform(padded).columns()).contains("more.of it", "source", "prediction");
    }

    @Test
    void aThresholdDecides() {
        Dataset data = Samples.dataset(Seed.of(8), 200, 3);
        var frame = Sparks.frame(spark, data, 2);
        RobustLogisticRegressionModel model = logistic().setThreshold(0.9).fit(frame);
        assertThat(model.getThreshold()).isEqualTo(0.9);
        for (RobustLogisticRegressionModel same : List.of(
                model,
                model.copy(new ParamMap()).setRawPredictionCol(""),
                model.copy(new ParamMap()).setRawPredictionCol("").setProbabilityCol(""))) {
            int likely = 0;
            List<Row> both =
                    model.transform(frame).select("label", "probability").collectAsList();
            List<Row> said = same.transform(frame).select("prediction").collectAsList();
            for (int r = 0; r < both.size(); r++) {
                boolean second = vector(both.get(r), "probability")[1] >= 0.9;
                likely += second ? 1 : 0;
                assertThat(said.get(r).getDouble(0)).isEqualTo(second ? 1 : 0);
            }
            assertThat(likely).isBetween(5, 95);
        }
        model.setThresholds(new double[] {1e-9, 1});
        assertThat(model.transform(frame).filter("prediction = 1").count())
                .as("thresholds win")
                .isZero();
        model.setThreshold(1e-9);
        assertThat(model.transform(frame).filter("prediction = 0").count()).isZero();
        model.setThreshold(0.5);
        assertThat(model.raw2prediction(Vectors.dense(0, 0)))
                .as("at the threshold")
                .isOne();
        assertThat(model.probability2prediction(Vectors.dense(0.5, 0.5))).isOne();
    }

    @Test
    void simulatedLiarsBeatTheMeanButNotNormScreening() {
        Dataset data = Samples.dataset(Seed.of(9), 1500, 4);
        var frame = Sparks.frame(spark, data, 2);
        RobustLogisticRegression attacked =
                logistic().setNumWorkers(10).setMaxIter(60).setPlan("attack: aggressive\nliars: 3");
        double honest = accuracy(logistic().setNumWorkers(10).setMaxIter(60).fit(frame), frame);
        double tolerated = accuracy(attacked.setTolerated(3).fit(frame), frame);
        assertThat(tolerated).isCloseTo(honest, within(0.02));
        assertThatThrownBy(() -> attacked.setRule("mean").fit(frame))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("training diverged in round 10");
        RobustSummary summary = attacked.setRule("norm-screening").fit(frame).summary();
        assertThat(summary.ledger().stream().filter(l -> l.screened() == l.rounds()))
                .as("the liars are the three who are always screened")
                .hasSize(3);
    }

    private static double accuracy(RobustLogisticRegressionModel model, org.apache.spark.sql.Dataset<Row> frame) {
        var said = model.transform(frame);
        return said.filter("prediction = label").count() / (double) said.count();
    }

    @Test
    void namesOfFeaturesAndClassesComeFromTheColumns() {
        var raw = spark.createDataFrame(
                List.of(
                        RowFactory.create(1.0, 2.0, "ham"),
                        RowFactory.create(2.0, 1.0, "spam"),
                        RowFactory.create(0.5, 3.0, "ham"),
                        RowFactory.create(2.5, 1.0, "spam"),
                        RowFactory.create(0.4, 2.5, "ham")),
                new StructType()
                        .add("length", DataTypes.DoubleType)
                        .add("links", DataTypes.DoubleType)
                        .add("kind", DataTypes.StringType));
        var indexed = new StringIndexer()
                .setInputCol("kind")
                .setOutputCol("label")
                .fit(raw)
                .transform(raw);
        var frame = new VectorAssembler()
                .setInputCols(new String[] {"length", "links"})
                .setOutputCol("features")
                .transform(indexed);
        Fitting fitting = Fitting.of(
                frame,
                new Columns("features", "label", null, null),
                logistic().setNumWorkers(2).settings().plan(null),
                Target.CLASSES,
                0);
        assertThat(fitting.file().model().schema().features()).containsExactly("length", "links");
        assertThat(fitting.file().model().schema().classes()).containsExactly("ham", "spam");
    }

    @Test
    void aModelKnowsWhatThePlanSaid() {
        Dataset data = Samples.dataset(Seed.of(6), 300, 2);
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setSeed(5)
                .setPlan("lambda: none\nrounds: 4\nseed: 3\nscale: sd\nlearning-rate: auto\nascent-rate: 0.25")
                .fit(Sparks.frame(spark, data, 2));
        assertThat(model.summary().rounds()).isEqualTo(4);
        assertThat(model.getMaxIter()).isEqualTo(4);
        assertThat(model.getPrice()).isInfinite();
        assertThat(model.getScale()).isEqualTo("sd");
        assertThat(model.isDefined(model.learningRate())).as("automatic").isFalse();
        assertThat(model.getAscentRate()).isEqualTo(0.25);
        assertThat(model.getSeed()).as("a Param wins").isEqualTo(5);
        assertThat(model.isSet(model.rule())).isFalse();
        assertThat(model.summary().toString())
                .startsWith("4 rounds, objective 0.")
                .contains("\n  0: screened in ")
                .endsWith("guarantee: " + model.summary().guarantee());
    }

    @Test
    void withoutAnInterceptThereIsNone() {
        Dataset data = Samples.numbers(Seed.of(6), 600, 3, 0);
        var frame = Sparks.frame(spark, data, 2).selectExpr("features", "label + 50 as label");
        RobustLinearRegressionModel plain = new RobustLinearRegression()
                .setFitIntercept(false)
                .setPrice(Double.POSITIVE_INFINITY)
                .setNumWorkers(1)
                .setTolerated("0")
                .setTol(1e-12)
                .fit(frame);
        var spark = new org.apache.spark.ml.regression.LinearRegression()
                .setFitIntercept(false)
                .fit(frame);
        assertThat(plain.intercept()).isZero();
        assertThat(plain.coefficients().toArray())
                .containsExactly(spark.coefficients().toArray(), within(1e-6));
    }
}
