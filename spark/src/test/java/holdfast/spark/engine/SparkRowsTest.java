package holdfast.spark.engine;

import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.preparation.Encoding;
import holdfast.spark.Sparks;
import holdfast.testkit.RowsContract;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Rows on executors, all of a table or chosen by their numbers, do what a data set does. */
class SparkRowsTest extends RowsContract {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @Override
    protected void with(Dataset data, Consumer<Rows> test) {
        SparkTable table = SparkTable.of(
                Sparks.frame(spark, data, 3),
                new Columns("features", "label", "weight", data.hasGroups() ? "source" : null));
        int[] all = IntStream.range(0, data.rows()).toArray();
        for (int[] training : new int[][] {null, all}) {
            try (TrainingRows rows =
                    new TrainingRows(table, data.schema(), data.source(), 4, training, data.outline())) {
                test.accept(rows.features(Encoding.NONE));
            }
        }
    }
}
