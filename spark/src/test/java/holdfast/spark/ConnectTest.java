package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Seed;
import holdfast.testkit.Samples;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.classification.BinaryClassificationSummary;
import org.apache.spark.ml.classification.ClassificationSummary;
import org.apache.spark.ml.classification.TrainingSummary;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.util.HasTrainingSummary;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.Summary;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Spark Connect's server does with stages: it finds them, makes and loads them, and keeps models. */
class ConnectTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static List<Class<?>> found(Class<?> service) {
        return ServiceLoader.load(service).stream()
                .<Class<?>>map(ServiceLoader.Provider::type)
                .filter(type -> type.getName().startsWith("holdfast."))
                .toList();
    }

    @Test
    void findsEstimatorsAndModels() throws ReflectiveOperationException {
        assertThat(found(Estimator.class))
                .containsExactly(
                        RobustLogisticRegression.class,
                        RobustLinearSVC.class,
                        RobustLinearRegression.class,
                        RobustPoissonRegression.class,
                        RobustNetworkClassifier.class,
                        RobustNetworkRegressor.class);
        assertThat(found(Transformer.class))
                .containsExactly(
                        RobustLogisticRegressionModel.class,
                        RobustLinearSVCModel.class,
                        RobustLinearRegressionModel.class,
                        RobustPoissonRegressionModel.class,
                        RobustNetworkClassificationModel.class,
                        RobustNetworkRegressionModel.class);
        for (Class<?> type : found(Estimator.class)) {
            Estimator<?> made = (Estimator<?>) type.getConstructor(String.class).newInstance("given");
            assertThat(made.uid()).isEqualTo("given");
        }
        for (Class<?> type : Stream.concat(found(Estimator.class).stream(), found(Transformer.class).stream())
                .toList()) {
            assertThat(type.getMethod("load", String.class).getReturnType()).isEqualTo(type);
            assertThat(type.getMethod("read").invoke(null)).isNotNull();
        }
    }

    @Test
    void aModelThatWasNotTrainedSaysSo() throws ReflectiveOperationException {
        var frame = Sparks.frame(spark, Samples.dataset(Seed.of(1), 40, 2), 1);
        for (Class<?> type : found(Transformer.class)) {
            RobustModel<?> model = (RobustModel<?>) type.getConstructor().newInstance();
            String message = "this model was not trained: get one from an estimator's fit, or by load";
            assertThatThrownBy(model::hasSummary).hasMessage(message);
            assertThatThrownBy(() -> model.save("nowhere")).hasMessage(message);
            assertThatThrownBy(() -> ((Model<?>) model).transform(frame).collectAsList())
                    .hasStackTraceContaining(message);
            assertThat(model).asString().contains(model.uid()).endsWith("not trained");
        }
    }

    @Test
    void keepsModelsInLocalFolders(@TempDir Path folder) throws Exception {
        var frame = Sparks.frame(spark, Samples.dataset(Seed.of(1), 200, 2), 2);
        RobustLogisticRegressionModel model =
                new RobustLogisticRegression().setMaxIter(10).setNumWorkers(4).fit(frame);
        Path kept = folder.resolve("a folder");
        String other = spark.sparkContext().hadoopConfiguration().get("fs.defaultFS");
        // A path without a scheme would be one of the file system of the cluster.
        spark.sparkContext().hadoopConfiguration().set("fs.defaultFS", "hdfs://127.0.0.1:1");
        try {
            model.write().saveToLocal(kept.toString());
            assertThat(Files.isDirectory(kept.resolve("metadata"))).isTrue();
            RobustLogisticRegressionModel loaded =
                    RobustLogisticRegressionModel.read().loadFromLocal(kept.toString());
            assertThat(loaded.coefficients()).isEqualTo(model.coefficients());
            assertThat(loaded.summary().objective()).isEqualTo(model.summary().objective());
        } finally {
            spark.sparkContext().hadoopConfiguration().set("fs.defaultFS", other);
        }
    }

    @Test
    void theSizeOfAModelIsThatOfItsNumbers() {
        var frame = Sparks.frame(spark, Samples.dataset(Seed.of(1), 200, 100), 2);
        RobustLogisticRegressionModel model =
                new RobustLogisticRegression().setMaxIter(3).setNumWorkers(4).fit(frame);
        model.predict(Vectors.zeros(100));
        assertThat(model.estimatedSize())
                .as("weights, offsets and divisors of 100 columns, but not the session of the summary")
                .isBetween(3 * 800L, 20_000L);
    }

    /** The server lets clients ask for what these traits declare. */
    @Test
    void summariesHaveTheTraitsThatTheServerKnows() {
        assertThat(HasTrainingSummary.class).isAssignableFrom(RobustModel.class);
        assertThat(MLWritable.class).isAssignableFrom(RobustModel.class);
        assertThat(TrainingSummary.class).isAssignableFrom(RobustSummary.class);
        assertThat(Summary.class)
                .isAssignableFrom(RobustRegressionTrainingSummary.class)
                .isAssignableFrom(RobustClassificationTrainingSummary.class);
        assertThat(ClassificationSummary.class).isAssignableFrom(RobustClassificationSummary.class);
        assertThat(BinaryClassificationSummary.class).isAssignableFrom(RobustClassificationSummary.class);
    }
}
