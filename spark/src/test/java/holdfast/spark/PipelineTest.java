package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.formats.ModelFile;
import holdfast.testkit.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.json4s.JObject;
import org.json4s.JValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our stages among those of Spark: in pipelines, under cross-validation, in files. */
class PipelineTest {
    private static SparkSession spark;
    private static Dataset data;
    private static org.apache.spark.sql.Dataset<Row> frame;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
        data = Samples.dataset(Seed.of(1), 400, 4);
        frame = Sparks.frame(spark, data, 2).cache();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static RobustLogisticRegression logistic() {
        return new RobustLogisticRegression().setMaxIter(15).setNumWorkers(4);
    }

    private static List<Row> said(Transformer model) {
        return model.transform(frame)
                .select("rawPrediction", "probability", "prediction")
                .collectAsList();
    }

    @Test
    void worksInAPipelineThatIsSavedAndLoaded(@TempDir Path folder) throws IOException {
        RobustLogisticRegression learner =
                logistic().setFeaturesCol("scaled").setScale("none").setPrice(3);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new StandardScaler().setInputCol("features").setOutputCol("scaled").setWithMean(true), learner
        });
        PipelineModel model = pipeline.fit(frame);
        List<Row> expected = said(model);
        assertThat(model.transformSchema(frame.schema()).fieldNames())
                .containsExactlyInAnyOrder(model.transform(frame).columns());

        String saved = folder.resolve("fitted").toString();
        model.save(saved);
        assertThat(said(PipelineModel.load(saved))).isEqualTo(expected);

        String plan = folder.resolve("unfitted").toString();
        pipeline.save(plan);
        Pipeline loaded = Pipeline.load(plan);
        assertThat(((RobustLogisticRegression) loaded.getStages()[1]).getPrice())
                .isEqualTo(3);
        assertThat(said(loaded.fit(frame))).isEqualTo(expected);
    }

    @Test
    void savesAndLoadsToTheSameBits(@TempDir Path folder) throws IOException {
        RobustLogisticRegressionModel model =
                logistic().setPrice(Double.POSITIVE_INFINITY).setThreshold(0.7).fit(frame);
        String path = folder.resolve("model").toString();
        model.save(path);
        assertThatThrownBy(() -> model.save(path)).isInstanceOf(IOException.class);
        model.write().overwrite().save(path);
        RobustLogisticRegressionModel loaded = RobustLogisticRegressionModel.load(path);
        assertThat(said(loaded)).isEqualTo(said(model));
        assertThat(loaded.uid()).isEqualTo(model.uid());
        assertThat(loaded.getPrice()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(loaded.getThreshold()).isEqualTo(0.7);
        assertThat(loaded.getMaxIter()).isEqualTo(15);
        assertThat(model.hasSummary()).isTrue();
        assertThat(model.summary().guarantee()).contains("rows do not move (lambda none)");
        assertThat(loaded.summary().file().print())
                .as("how training went")
                .isEqualTo(model.summary().file().print());
        assertThatThrownBy(() -> loaded.summary().predictions()).hasMessageContaining("are not saved with a model");
        assertThatThrownBy(() -> loaded.summary().accuracy()).hasMessageContaining("use evaluate");
        assertThatThrownBy(() -> loaded.summary().areaUnderROC()).hasMessageContaining("use evaluate");
        assertThatThrownBy(() -> RobustLinearRegressionModel.load(path))
                .hasMessageContaining("RobustLogisticRegressionModel");

        // What is in the folder is a model.json, which other programs read.
        double[] raw = json(path).model().scores(data);
        assertThat(said(model).stream().mapToDouble(row -> row.<Vector>getAs(0).apply(1)))
                .containsExactly(Arrays.stream(raw).boxed().toArray(Double[]::new));
    }

    /** The model.json in the folder of a saved model. */
    private static ModelFile json(String path) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(path, "data"))) {
            return ModelFile.read(files.filter(file -> file.toString().endsWith(".txt"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    void aSavedFolderGivesTheAnswersOfTheModelWhoeverReadsIt(@TempDir Path folder) throws IOException {
        RobustLogisticRegressionModel model = logistic().fit(frame);
        List<Consumer<RobustLogisticRegressionModel>> settings = List.of(
                m -> {},
                m -> m.setThreshold(0.83),
                m -> m.setThresholds(new double[] {0.3, 0.7}),
                m -> m.setThresholds(new double[] {1e-3, 1}),
                m -> m.setThresholds(new double[] {1, 0}),
                m -> m.setThreshold(0.02));
        Set<Long> different = new HashSet<>();
        for (int i = 0; i < settings.size(); i++) {
            settings.get(i).accept(model);
            String path = folder.resolve("model" + i).toString();
            model.save(path);
            List<Row> expected = said(model);
            assertThat(said(RobustLogisticRegressionModel.load(path))).isEqualTo(expected);
            Predictions here = json(path).model().predict(data);
            for (int r = 0; r < data.rows(); r++) {
                assertThat(here.label(r)).isEqualTo(expected.get(r).getDouble(2));
            }
            different.add(expected.stream().filter(row -> row.getDouble(2) == 1).count());
        }
        assertThat(different).as("settings that say something else").hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void aSavedThresholdIsTheSmallestProbabilityThatDecides(@TempDir Path folder) throws IOException {
        RobustLogisticRegressionModel model = logistic().fit(frame);
        Randomness random = Seed.of(4).random();
        for (int i = 0; i < 5; i++) {
            model.setThresholds(new double[] {0.01 + random.nextDouble(), 0.01 + random.nextDouble()});
            String path = folder.resolve("model" + i).toString();
            model.save(path);
            double p = json(path).model().threshold();
            assertThat(model.probability2prediction(Vectors.dense(1 - p, p))).isOne();
            double less = Math.nextDown(p);
            assertThat(model.probability2prediction(Vectors.dense(1 - less, less)))
                    .isZero();
        }
    }

    @Test
    void savesAndLoadsNumbers(@TempDir Path folder) throws IOException {
        RobustLinearRegression learner =
                new RobustLinearRegression().setLoss("huber").setMaxIter(15).setWorkerCol("source");
        learner.save(folder.resolve("learner").toString());
        RobustLinearRegression again =
                RobustLinearRegression.load(folder.resolve("learner").toString());
        assertThat(again.extractParamMap().toString())
                .isEqualTo(learner.extractParamMap().toString());
        RobustLinearRegressionModel model = again.setPlan("partition: iid")
                .copy(new ParamMap().put(again.workerCol().w("label")))
                .fit(frame);
        model.save(folder.resolve("model").toString());
        RobustLinearRegressionModel loaded =
                RobustLinearRegressionModel.load(folder.resolve("model").toString());
        assertThat(loaded.transform(frame).select("prediction").collectAsList())
                .isEqualTo(model.transform(frame).select("prediction").collectAsList());
    }

    /**
     * The metadata were written by the version before these Params lost their defaults: {@code automatic-set} by an
     * estimator whose Params were set to 0 and -1, {@code automatic-default} by one that had them as defaults.
     */
    @Test
    void whatEarlierVersionsSavedAsAutomaticIsAutomatic(@TempDir Path folder) throws IOException {
        RobustLogisticRegression set = loadOlder("automatic-set", folder);
        assertThat(set.isSet(set.learningRate()) && set.isSet(set.ascentSteps()) && set.isSet(set.ascentRate()))
                .isTrue();
        RobustLogisticRegression unset = loadOlder("automatic-default", folder);
        assertThat(set.settings().plan(null))
                .isEqualTo(new RobustLogisticRegression()
                        .setMaxIter(15)
                        .setTolerated(2)
                        .settings()
                        .plan(null));
        assertThat(unset.settings().plan(null))
                .isEqualTo(new RobustLogisticRegression()
                        .setMaxIter(15)
                        .setPrice(4)
                        .settings()
                        .plan(null));
        assertThat(said(unset.fit(frame)))
                .isEqualTo(said(new RobustLogisticRegression()
                        .setMaxIter(15)
                        .setPrice(4)
                        .fit(frame)));
    }

    /** It was written by the version before summaries were saved, and by Spark's own writers. */
    @Test
    void aModelThatAnEarlierVersionSavedLoadsWithoutASummary(@TempDir Path folder) throws IOException {
        for (String part : List.of("metadata", "data")) {
            Path kept = Files.createDirectories(folder.resolve(part));
            try (InputStream in = PipelineTest.class.getResourceAsStream("before/model-" + part + ".json")) {
                Files.copy(in, kept.resolve("part-00000-2a2eef65-c000.txt"));
            }
        }
        RobustLogisticRegressionModel model = RobustLogisticRegressionModel.load(folder.toString());
        assertThat(model.uid()).isEqualTo("robustLogReg_before");
        assertThat(model.getThreshold()).isEqualTo(0.7);
        assertThat(model.getPrice()).isInfinite();
        assertThat(model.predict(Vectors.dense(6, 0))).isOne();
        assertThat(model.predict(Vectors.dense(1, 0))).isZero();
        assertThat(model.hasSummary()).isFalse();
        assertThatThrownBy(model::summary).hasMessageContaining("No training summary available");
        String again = folder.resolve("again").toString();
        model.save(again);
        assertThat(RobustLogisticRegressionModel.load(again).hasSummary()).isFalse();
    }

    /** Spark writes so if it is told to compress, and as many files as there are partitions. */
    @Test
    void aModelInSeveralCompressedFilesLoads(@TempDir Path folder) throws IOException {
        for (String part : List.of("metadata", "data")) {
            Path kept = Files.createDirectories(folder.resolve(part));
            byte[] text;
            try (InputStream in = PipelineTest.class.getResourceAsStream("before/model-" + part + ".json")) {
                text = in.readAllBytes();
            }
            // Neither in the order of their names nor in the reverse, because a folder may list its files in either.
            for (int k : new int[] {2, 0, 3, 1}) {
                try (OutputStream out =
                        new GZIPOutputStream(Files.newOutputStream(kept.resolve("part-0000" + k + ".txt.gz")))) {
                    out.write(Arrays.copyOfRange(text, k * text.length / 4, (k + 1) * text.length / 4));
                }
            }
        }
        RobustLogisticRegressionModel model = RobustLogisticRegressionModel.load(folder.toString());
        assertThat(model.uid()).isEqualTo("robustLogReg_before");
        assertThat(model.predict(Vectors.dense(6, 0))).isOne();
    }

    /** Spark's own writer and reader say what is expected. */
    @Test
    void metadataAreAsSparkWritesThem(@TempDir Path folder) throws IOException {
        RobustLogisticRegressionModel model = logistic()
                .setPrice(Double.POSITIVE_INFINITY)
                .setPlan("seed: 3 # \"a\" \\ comment\nrounds: 15")
                .setThresholds(new double[] {0.25, 0.75})
                .fit(frame);
        String path = folder.resolve("model").toString();
        model.save(path);
        var read =
                DefaultParamsReader.loadMetadata(path, spark, model.getClass().getName());
        var expected = DefaultParamsReader.parseMetadata(DefaultParamsWriter.getMetadataToSave(model, spark), "");
        assertThat(read.className()).isEqualTo(expected.className());
        assertThat(read.uid()).isEqualTo(expected.uid());
        assertThat(read.sparkVersion()).isEqualTo(expected.sparkVersion());
        assertThat(read.timestamp()).isCloseTo(expected.timestamp(), within(60_000L));
        for (Param<?> param : model.params()) {
            assertThat(value(read.params(), param)).isEqualTo(value(expected.params(), param));
            assertThat(value(read.defaultParams(), param)).isEqualTo(value(expected.defaultParams(), param));
        }
        assertThat(value(read.params(), model.plan())).contains("comment");
        assertThat(DefaultParamsReader.<Object>loadParamsInstance(path, spark)).hasToString(model.toString());
        assertThatThrownBy(() -> RobustLogisticRegressionModel.load(folder.toString()))
                .hasMessageEndingWith("is not a saved model: there must be a file part-... in its folder metadata");
    }

    private static String value(JValue values, Param<?> param) {
        return ((JObject) values).values().get(param.name()).toString();
    }

    private static RobustLogisticRegression loadOlder(String name, Path folder) throws IOException {
        Path metadata = Files.createDirectories(folder.resolve(name).resolve("metadata"));
        try (InputStream in = PipelineTest.class.getResourceAsStream("before/" + name + ".json")) {
            Files.copy(in, metadata.resolve("part-00000.txt"));
        }
        return RobustLogisticRegression.load(folder.resolve(name).toString());
    }

    @Test
    void isTunedByCrossValidation() {
        RobustLogisticRegression learner = logistic().setRule("mean");
        ParamMap[] grid = new ParamGridBuilder()
                .addGrid(learner.price(), new double[] {0.02, 8})
                .addGrid(learner.fitIntercept())
                .build();
        CrossValidatorModel tuned = new CrossValidator()
                .setEstimator(learner)
                .setEvaluator(new MulticlassClassificationEvaluator().setMetricName("logLoss"))
                .setEstimatorParamMaps(grid)
                .setNumFolds(2)
                .setSeed(3)
                .setParallelism(2)
                .fit(frame);
        double[] scores = tuned.avgMetrics();
        int best = 0;
        for (int g = 1; g < scores.length; g++) {
            best = scores[g] < scores[best] ? g : best;
        }
        assertThat(Arrays.stream(scores).distinct().count())
                .as("all grid points differ")
                .isEqualTo(4);
        RobustLogisticRegressionModel chosen = (RobustLogisticRegressionModel) tuned.bestModel();
        assertThat(chosen.getPrice()).isEqualTo((double) grid[best].apply(learner.price()));
        assertThat(chosen.getFitIntercept()).isEqualTo((boolean) grid[best].apply(learner.fitIntercept()));
        assertThat(chosen.coefficients())
                .isEqualTo(learner.fit(frame, grid[best]).coefficients());
        assertThat(scores[best]).as("better than guessing").isLessThan(Math.log(2));
        assertThat(learner.getPrice()).as("the estimator is as it was").isEqualTo(8);
    }
}
