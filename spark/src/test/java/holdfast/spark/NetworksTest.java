package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.Predictions;
import holdfast.formats.ModelFile;
import holdfast.plan.Plan;
import holdfast.sources.Verdict;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The estimators of networks learn what one process learns, and their models predict as it does. */
class NetworksTest {
    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** Labels of which a linear model gets 84 % right at best: whether x0 (x1 + 1) > 0. A row of s2 says the opposite. */
    static Dataset crossed(int rows) {
        Randomness random = Seed.of(7).child("crossed").random();
        DatasetBuilder builder = new DatasetBuilder(2);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(2);
            builder.add(x, (x[0] * (x[1] + 1) > 0) == (r % 6 == 2) ? 0 : 1, r % 6, 1 + r / 6 % 2);
        }
        List<String> sources = IntStream.range(0, 6).mapToObj(s -> "s" + s).toList();
        return builder.build(new Schema(List.of("a", "b"), "label", List.of("no", "yes"), sources), DataSource.MEMORY);
    }

    private static RobustNetworkClassifier classifier() {
        return new RobustNetworkClassifier().setHiddenLayers(8, 4).setSeed(3).setPrice(100);
    }

    /** In this process, in the order of a DataFrame. */
    private static TrainingRun here(Dataset data, String model, String... settings) {
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with("test-share", "0")
                .with("recalibration", "none")
                .with("model", model)
                .with("lambda", "100")
                .with("seed", "3");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return Training.of(ContentOrder.sorted(plan.bySource() ? data : data.withoutGroups()), plan)
                .run();
    }

    private static void predictsAs(TrainingRun expected, Dataset data, RobustNetworkClassificationModel model) {
        assertThat(Laws.bits(model.weights().toArray()))
                .isEqualTo(Laws.bits(expected.model().theta()));
        Predictions here = expected.model().predict(data);
        List<Row> there = model.transform(Sparks.frame(spark, data, 3)).collectAsList();
        int k = here.model().scoresPerRow();
        for (int r = 0; r < data.rows(); r++) {
            double[] scores = Arrays.copyOfRange(here.scores(), r * k, (r + 1) * k);
            double[] raw = k == 1 ? new double[] {-scores[0], scores[0]} : scores;
            Row row = there.get(r);
            assertThat(Laws.bits(row.<Vector>getAs("rawPrediction").toArray())).isEqualTo(Laws.bits(raw));
            assertThat(Laws.bits(row.<Vector>getAs("probability").toArray()))
                    .isEqualTo(Laws.bits(here.probabilities(r)));
            assertThat(row.<Double>getAs("prediction")).isEqualTo(here.label(r));
        }
        assertThat(model.numFeatures()).isEqualTo(data.columns());
        assertThat(model.numClasses()).isEqualTo(data.schema().classes().size());
        assertThat(model.summary().objective()).isEqualTo(expected.objective());
        assertThat(model.summary().ledger()).isEqualTo(expected.ledger());
        assertThat(model.summary().guarantee()).isEqualTo(expected.guarantee().toString());
    }

    @Test
    void tellsTwoClassesApartAsInOneProcessAndNamesTheSourceThatLies() throws IOException {
        Dataset data = crossed(600);
        var frame = Sparks.frame(spark, data, 3);
        RobustNetworkClassificationModel model = classifier()
                .setWorkerCol("source")
                .setWeightCol("weight")
                .setTolerated(1)
                .setMaxIter(40)
                .fit(frame);
        predictsAs(
                here(
                        data,
                        "mlp(hidden=8-4, activation=softplus)",
                        "workers-by",
                        "source",
                        "tolerated",
                        "1",
                        "rounds",
                        "40"),
                data,
                model);
        assertThat(model.summary().verdicts().stream().filter(Verdict::suspect).map(Verdict::source))
                .containsExactly("s2");
        var honest = frame.filter("source <> 's2'");
        assertThat(model.evaluate(honest).accuracy()).isGreaterThan(0.9);
        assertThat(model.evaluate(honest).areaUnderROC()).isGreaterThan(0.95);

        model.setThreshold(0.3).save(folder.resolve("model").toString());
        RobustNetworkClassificationModel loaded =
                RobustNetworkClassificationModel.load(folder.resolve("model").toString());
        assertThat(loaded.transform(frame).collectAsList())
                .isEqualTo(model.transform(frame).collectAsList());
        assertThat(loaded.getHiddenLayers()).containsExactly(8, 4);
        assertThat(loaded.getActivation()).isEqualTo("softplus");
        assertThat(loaded.summary().rounds()).isEqualTo(model.summary().rounds());
        assertThat(loaded.weights()).isEqualTo(model.weights());
        try (var files = Files.list(folder.resolve("model/data"))) {
            ModelFile file =
                    ModelFile.read(files.filter(f -> f.getFileName().toString().startsWith("part-"))
                            .findFirst()
                            .orElseThrow());
            assertThat(file.model().threshold()).isEqualTo(0.3);
            assertThat(file.model().predict(data).scores()[5])
                    .isEqualTo(model.predictRaw(Vectors.dense(data.row(5))).apply(1));
        }
    }

    /** The scores are computed here from the documented order of the weights. */
    @Test
    void tellsManyClassesApartAsInOneProcess() {
        Dataset data = Samples.classes(Seed.of(2), 400, 3, 3, 0);
        RobustNetworkClassificationModel model = classifier()
                .setHiddenLayers(5)
                .setActivation("tanh")
                .setScale("none")
                .setPrice(Double.POSITIVE_INFINITY)
                .setNumWorkers(4)
                .setMaxIter(15)
                .fit(Sparks.frame(spark, data, 2));
        predictsAs(
                here(
                        data,
                        "mlp(hidden=5, activation=tanh)",
                        "scale",
                        "none",
                        "workers",
                        "4",
                        "rounds",
                        "15",
                        "lambda",
                        "none"),
                data,
                model);
        double[] x = data.row(3);
        double[] w = model.weights().toArray();
        assertThat(w).hasSize(3 * 5 + 5 * 3 + 5 + 3);
        for (int c = 0; c < 3; c++) {
            double score = w[35 + c];
            for (int h = 0; h < 5; h++) {
                double sum = w[30 + h] + x[0] * w[h] + x[1] * w[5 + h] + x[2] * w[10 + h];
                score += Math.tanh(sum) * w[15 + 3 * h + c];
            }
            assertThat(score).isCloseTo(model.predictRaw(Vectors.dense(x)).apply(c), within(1e-12));
        }
        model.setThresholds(new double[] {1, 1, 1e-9});
        assertThat(model.transform(Sparks.frame(spark, data, 2))
                        .filter("prediction = 2")
                        .count())
                .isGreaterThan(390);
    }

    @Test
    void learnsNumbersAsInOneProcess() throws IOException {
        Randomness random = Seed.of(5).child("numbers").random();
        DatasetBuilder builder = new DatasetBuilder(2);
        for (int r = 0; r < 500; r++) {
            double[] x = random.gaussians(2);
            builder.add(x, 100 + 20 * x[0] * x[1] + (r % 50 == 0 ? 500 : random.nextGaussian()));
        }
        Dataset data = builder.build(new Schema(List.of("a", "b"), "label", List.of(), List.of()), DataSource.MEMORY);
        var frame = Sparks.frame(spark, data, 3);
        RobustNetworkRegressor learner = new RobustNetworkRegressor()
                .setHiddenLayers(8)
                .setSeed(3)
                .setPrice(Double.POSITIVE_INFINITY)
                .setLoss("huber")
                .setNumWorkers(4)
                .setMaxIter(60);
        learner.save(folder.resolve("learner").toString());
        RobustNetworkRegressionModel model = RobustNetworkRegressor.load(
                        folder.resolve("learner").toString())
                .fit(frame);
        Predictions here = here(data, "mlp(hidden=8, loss=huber)", "workers", "4", "rounds", "60", "lambda", "none")
                .model()
                .predict(data);
        List<Row> there = model.transform(frame).collectAsList();
        for (int r = 0; r < data.rows(); r++) {
            assertThat(there.get(r).<Double>getAs("prediction")).isEqualTo(here.label(r));
        }
        assertThat(model.evaluate(frame.filter("label < 300")).r2()).isGreaterThan(0.8);
        assertThat(model.summary().meanAbsoluteError())
                .isCloseTo(
                        model.transform(frame)
                                .selectExpr("avg(abs(prediction - label))")
                                .head()
                                .getDouble(0),
                        within(1e-9));
        model.save(folder.resolve("model").toString());
        RobustNetworkRegressionModel loaded =
                RobustNetworkRegressionModel.load(folder.resolve("model").toString());
        assertThat(loaded.transform(frame).collectAsList()).isEqualTo(there);
        assertThat(loaded.getHiddenLayers()).containsExactly(8);
    }

    @Test
    void paramsWinOverTheTextOfThePlan() {
        RobustNetworkClassifier learner = classifier()
                .setHiddenLayers(3)
                .setPlan("model: mlp(hidden=9, activation=elu, loss=softmax)\nrounds: 2");
        RobustNetworkClassificationModel model = learner.fit(Sparks.frame(spark, crossed(60), 1));
        assertThat(model.getHiddenLayers()).containsExactly(3);
        assertThat(model.getActivation()).isEqualTo("elu");
        assertThat(model.getMaxIter()).isEqualTo(2);
        assertThat(model.weights().size()).as("softmax has two scores").isEqualTo(2 * 3 + 3 * 2 + 3 + 2);
    }

    @Test
    void refusesWhatIsNoNetworkInOneLine() {
        var frame = Sparks.frame(spark, crossed(60), 1);
        assertThatThrownBy(() -> classifier().setHiddenLayers())
                .isInstanceOf(InputException.class)
                .hasMessage("hiddenLayers: hidden must name at least one layer");
        assertThatThrownBy(() -> classifier().setHiddenLayers(4, 0))
                .hasMessage("hiddenLayers: a hidden layer has 1 to 100000 units, got 0");
        assertThatThrownBy(() -> classifier().setActivation("sigmoid"))
                .hasMessage("activation must be one of softplus, tanh, gelu, elu, relu; got 'sigmoid'");
        assertThatThrownBy(() -> classifier().setPlan("model: logistic").fit(frame))
                .hasMessage("plan: --model must be mlp, got logistic");
        assertThatThrownBy(() -> classifier().setPlan("intercept: false").fit(frame))
                .hasMessage("--no-intercept is for linear models: the units of model mlp always have biases");
        assertThatThrownBy(() -> classifier().setPlan("model: mlp(loss=huber)").fit(frame))
                .hasMessageContaining("model mlp with loss=huber predicts numbers");
        RobustNetworkRegressor numbers = new RobustNetworkRegressor();
        assertThatThrownBy(() -> numbers.setPlan("model: mlp(loss=logistic)").fit(frame))
                .hasMessageContaining("model mlp with loss=logistic predicts two classes");
        assertThatThrownBy(() -> numbers.setLoss("hinge"))
                .hasMessage("loss must be one of squaredError, huber; got 'hinge'");
    }
}
