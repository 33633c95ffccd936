package holdfast.spark.versions;

import holdfast.spark.RobustLinearRegression;
import holdfast.spark.RobustLinearRegressionModel;
import holdfast.spark.RobustLogisticRegression;
import holdfast.spark.RobustLogisticRegressionModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Estimators, models and pipelines, saved and loaded on the Spark that is on the class path. What they do is told as
 * text, with every bit of every number, and must be the same on all versions.
 */
final class SmokeRun implements AutoCloseable {
    private final SparkSession spark = SparkSession.builder()
            .master("local[2]")
            .config("spark.log.level", "WARN")
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate();
    private final Dataset<Row> rows = rows();

    /** Prints the version of Spark, what the first folder holds, and what is saved in the second. */
    public static void main(String[] args) {
        try (SmokeRun run = new SmokeRun()) {
            System.out.println(run.version() + "\n" + run.load(args[0]) + "\n" + run.fitAndSave(args[1]));
        }
    }

    String version() {
        return spark.version();
    }

    @Override
    public void close() {
        spark.stop();
    }

    /** Six sources with the same rule, the last of which turns its labels round. */
    private Dataset<Row> rows() {
        Random random = new Random(1);
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < 300; r++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            double target = 2 * x - y + random.nextGaussian() / 2;
            int source = r % 6;
            rows.add(RowFactory.create(x, y, "s" + source, target > 0 == source < 5 ? 1.0 : 0.0, target));
        }
        return spark.createDataFrame(
                rows,
                new StructType()
                        .add("x", DataTypes.DoubleType)
                        .add("y", DataTypes.DoubleType)
                        .add("source", DataTypes.StringType)
                        .add("label", DataTypes.DoubleType)
                        .add("target", DataTypes.DoubleType));
    }

    private Dataset<Row> assembled() {
        return assembler().transform(rows);
    }

    private static VectorAssembler assembler() {
        return new VectorAssembler().setInputCols(new String[] {"x", "y"}).setOutputCol("features");
    }

    String fitAndSave(String folder) {
        RobustLogisticRegression classifier = new RobustLogisticRegression()
                .setWorkerCol("source")
                .setTolerated("1")
                .setPrice(4)
                .setMaxIter(20);
        RobustLinearRegression regression =
                new RobustLinearRegression().setLabelCol("target").setMaxIter(20);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {assembler(), classifier});
        Stages stages = new Stages(
                classifier,
                classifier.fit(assembled()),
                pipeline,
                pipeline.fit(rows),
                regression,
                regression.fit(assembled()));
        stages.save(folder + "/");
        return describe(stages);
    }

    String load(String folder) {
        return describe(Stages.load(folder + "/"));
    }

    private record Stages(
            RobustLogisticRegression classifier,
            RobustLogisticRegressionModel classifying,
            Pipeline pipeline,
            PipelineModel fitted,
            RobustLinearRegression regression,
            RobustLinearRegressionModel regressing) {
        void save(String folder) {
            try {
                classifier.save(folder + "classifier");
                classifying.save(folder + "classifying");
                pipeline.save(folder + "pipeline");
                fitted.save(folder + "fitted");
                regression.save(folder + "regression");
                regressing.save(folder + "regressing");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static Stages load(String folder) {
            return new Stages(
                    RobustLogisticRegression.load(folder + "classifier"),
                    RobustLogisticRegressionModel.load(folder + "classifying"),
                    Pipeline.load(folder + "pipeline"),
                    PipelineModel.load(folder + "fitted"),
                    RobustLinearRegression.load(folder + "regression"),
                    RobustLinearRegressionModel.load(folder + "regressing"));
        }
    }

    private String describe(Stages stages) {
        return String.join(
                "\n",
                stages.classifier.explainParams(),
                stages.classifying.explainParams(),
                exact(stages.classifying.coefficients(), stages.classifying.intercept()),
                predictions(stages.classifying.transform(assembled())),
                ((RobustLogisticRegression) stages.pipeline.getStages()[1]).explainParams(),
                predictions(stages.fitted.transform(rows)),
                stages.regression.explainParams(),
                exact(stages.regressing.coefficients(), stages.regressing.intercept()),
                predictions(stages.regressing.transform(assembled())));
    }

    private static String exact(Vector coefficients, double intercept) {
        return Arrays.toString(coefficients.toArray()) + " " + intercept;
    }

    private static String predictions(Dataset<Row> transformed) {
        return transformed.select("source", "label", "prediction").collectAsList().stream()
                .map(Row::toString)
                .collect(Collectors.joining("\n"));
    }
}
