package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.data.Dataset;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.rounds.WorkerPool;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.SparkEngine;
import holdfast.spark.engine.SparkTable;
import holdfast.testkit.Laws;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
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
public final class Sparks {
    private Sparks() {}

    public static SparkSession local() {
        return session("local[2]").getOrCreate();
    }

    /** On the loopback interface alone. */
    public static SparkSession.Builder session(String master) {
        return SparkSession.builder()
                .master(master)
                .appName("holdfast")
                .config("spark.ui.enabled", false)
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.warehouse.dir", "target/spark-warehouse")
                .config("spark.sql.shuffle.partitions", 2);
    }

    /** Workers for rows that are spread over so many partitions. */
    public static PreparedRun prepare(SparkSession spark, Dataset data, Plan plan, int partitions) {
        SparkTable table = table(
                frame(spark, data, partitions),
                new Columns(
                        "features", "label", data.weighted() ? "weight" : null, data.hasGroups() ? "source" : null));
        return new SparkEngine(table, plan, data.schema(), data.source(), spark).startWorkers(spark);
    }

    /** The rows of a frame in the order of its partitions, as if they had been read from a file. */
    public static SparkTable table(org.apache.spark.sql.Dataset<Row> frame, Columns columns) {
        return SparkTable.of(frame.javaRDD(), columns, Target.NUMBER, null, List.of());
    }

    /** The same workers, asked by another pool. */
    public static PreparedRun with(PreparedRun plain, WorkerPool pool) {
        return new PreparedRun(
                plain.plan(),
                pool,
                plain.names(),
                plain.sizes(),
                plain.source(),
                plain.schema(),
                plain.rows(),
                plain.reach(),
                plain.preparation(),
                plain.root(),
                plain.unusable(),
                plain.heldOut(),
                plain.price(),
                plain.probe());
    }

    /** Whether a plan gives the same bits here and there. */
    public static void trainsToTheSameBits(SparkSession spark, Dataset data, Plan plan, int partitions) {
        try (PreparedRun prepared = prepare(spark, data, plan, partitions)) {
            assertThat(Laws.bits(Training.of(data.source(), plan)
                            .run(prepared)
                            .model()
                            .theta()))
                    .isEqualTo(Laws.bits(Training.of(data, plan).run().model().theta()));
        }
    }

    /** What travels when something is sent. */
    public static byte[] bytes(Object sent) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(sent);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What arrives where something is sent to. */
    public static <T> T travelled(T sent) {
        try {
            @SuppressWarnings("unchecked")
            T arrived = (T) new ObjectInputStream(new ByteArrayInputStream(bytes(sent))).readObject();
            return arrived;
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same rows in so many partitions, in their order. */
    public static org.apache.spark.sql.Dataset<Row> frame(SparkSession spark, Dataset data, int partitions) {
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
