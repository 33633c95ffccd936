package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.spark.examples.JavaNetworkExample;
import holdfast.spark.examples.JavaPipelineExample;
import holdfast.spark.examples.ScalaPipelineExample;
import holdfast.testkit.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.Transformer;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guide shows can be run. */
class ExamplesTest {
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

    private Transformer learnt(Example example, Function<String, Transformer> load) throws IOException {
        Dataset right = Samples.dataset(Seed.of(3), 900, 4, 6);
        return learnt(right.relabel(r -> r % 6 == 2 ? 1 - right.label(r) : right.label(r)), example, load);
    }

    /** Six sources, one of which has every label wrong; what was learnt of them is right on the rows of the others. */
    private Transformer learnt(Dataset data, Example example, Function<String, Transformer> load) throws IOException {
        String rows = folder.resolve("rows.parquet").toString();
        Sparks.frame(spark, data, 2).drop("weight").write().parquet(rows);
        String model = folder.resolve("model").toString();
        example.main(new String[] {rows, model});
        Transformer loaded = load.apply(model);
        var honest = spark.read().parquet(rows).filter("source <> 's2'");
        assertThat(loaded.transform(honest).filter("prediction = label").count() / (double) honest.count())
                .isGreaterThan(0.7);
        return loaded;
    }

    private interface Example {
        void main(String[] args) throws IOException;
    }

    @Test
    void theOneInJavaRuns() throws IOException {
        PipelineModel model = (PipelineModel) learnt(JavaPipelineExample::main, PipelineModel::load);
        assertThat(((RobustLogisticRegressionModel) model.stages()[1]).getWorkerCol())
                .isEqualTo("source");
    }

    @Test
    void theOneInScalaRuns() throws IOException {
        learnt(ScalaPipelineExample::main, RobustLogisticRegressionModel::load);
    }

    @Test
    void theNetworkRuns() throws IOException {
        learnt(NetworksTest.crossed(600), JavaNetworkExample::main, RobustNetworkClassificationModel::load);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/test/java/holdfast/spark/examples/JavaPipelineExample.java",
                "src/test/java/holdfast/spark/examples/JavaNetworkExample.java",
                "src/test/scala/holdfast/spark/examples/ScalaPipelineExample.scala",
                "../python/examples/pipeline.py"
            })
    void theGuideShowsThem(String file) throws IOException {
        String text = Files.readString(Path.of(file));
        int from = text.indexOf('\n', text.indexOf("In the guide from here")) + 1;
        String shown = text.substring(from, text.lastIndexOf('\n', text.indexOf(" to here")));
        assertThat(Files.readString(Path.of("../docs/scaling.md"))).contains(shown.stripIndent());
    }
}
