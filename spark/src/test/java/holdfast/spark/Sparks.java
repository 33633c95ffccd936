package holdfast.spark;

import holdfast.data.Dataset;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Sessions and DataFrames for tests. */
final class Sparks {
    private Sparks() {}

    static SparkSession local() {
        return SparkSession.builder()
                .master("local[2]")
                .appName("holdfast")
                .config("spark.ui.enabled", false)
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2)
                .getOrCreate();
    }

    /** The same rows in so many partitions, in their order. */
    static org.apache.spark.sql.Dataset<Row> frame(SparkSession spark, Dataset data, int partitions) {
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < data.rows(); r++) {
            Vector features = Vectors.dense(data.row(r));
            rows.add(RowFactory.create(
                    data.sparse() ? features.toSparse() : features,
                    data.label(r),
                    data.weight(r),
                    data.hasGroups() ? data.schema().groups().get(data.group(r)) : ""));
        }
        return spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions),
                new StructType()
                        .add("features", SQLDataTypes.VectorType())
                        .add("label", DataTypes.DoubleType)
                        .add("weight", DataTypes.DoubleType)
                        .add("source", DataTypes.StringType));
    }
}
