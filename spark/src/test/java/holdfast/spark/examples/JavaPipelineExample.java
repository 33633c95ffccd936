package holdfast.spark.examples;

import holdfast.spark.RobustLogisticRegression;
import holdfast.spark.RobustLogisticRegressionModel;
import java.io.IOException;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Learns from the rows of several sources, of which one may lie: {@code JavaPipelineExample rows.parquet model}. */
public final class JavaPipelineExample {
    private JavaPipelineExample() {}

    public static void main(String[] args) throws IOException {
        SparkSession spark = SparkSession.builder().getOrCreate();
        // In the guide from here
        Dataset<Row> rows = spark.read().parquet(args[0]);
        StandardScaler scaler = new StandardScaler()
                .setInputCol("features")
                .setOutputCol("scaled")
                .setWithMean(true);
        RobustLogisticRegression learner = new RobustLogisticRegression()
                .setFeaturesCol("scaled")
                .setScale("none") // the scaler did it
                .setWorkerCol("source") // the rows of a source are one worker
                .setTolerated("1") // one of them may lie
                .setPrice(4); // rows may shift, at this price
        PipelineModel model =
                new Pipeline().setStages(new PipelineStage[] {scaler, learner}).fit(rows);
        model.save(args[1]);

        RobustLogisticRegressionModel learnt = (RobustLogisticRegressionModel) model.stages()[1];
        System.out.println(learnt.summary());
        // to here
    }
}
