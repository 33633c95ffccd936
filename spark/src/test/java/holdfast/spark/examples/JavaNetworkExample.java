package holdfast.spark.examples;

import holdfast.spark.RobustNetworkClassificationModel;
import holdfast.spark.RobustNetworkClassifier;
import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Trains a network on the rows of several sources, of which one may lie: {@code JavaNetworkExample rows.parquet model}. */
public final class JavaNetworkExample {
    private JavaNetworkExample() {}

    public static void main(String[] args) throws IOException {
        SparkSession spark = SparkSession.builder().getOrCreate();
        // In the guide from here
        Dataset<Row> rows = spark.read().parquet(args[0]);
        RobustNetworkClassifier learner = new RobustNetworkClassifier()
                .setHiddenLayers(16, 8) // the numbers of features and classes are those of the rows
                .setActivation("softplus")
                .setWorkerCol("source")
                .setTolerated("1")
                .setPrice(100)
                .setSeed(2); // draws the first weights
        RobustNetworkClassificationModel model = learner.fit(rows);
        model.summary().verdictsFrame().show();
        model.save(args[1]);
        // to here
    }
}
