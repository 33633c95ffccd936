package holdfast.spark.engine;

import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.preparation.Encoding;
import holdfast.spark.Sparks;
import holdfast.testkit.RowsContract;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Rows on executors, assigned by source or by their numbers, do what a data set does. */
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
        SparkTable table = Sparks.table(
                Sparks.frame(spark, data, 3),
                new Columns("features", "label", "weight", data.hasGroups() ? "source" : null));
        RowAssignment together = RowAssignment.together(data.rows());
        List<int[]> sources = data.hasGroups() ? data.rowsBySource() : List.of();
        List<RowAssignment> ways = sources.isEmpty()
                ? List.of(together)
                : List.of(table.bySource(), RowAssignment.listed(data.rows(), sources));
        for (RowAssignment bySource : ways) {
            try (TrainingRows rows =
                    new TrainingRows(table, data.schema(), data.source(), 4, together, bySource, new double[0])) {
                test.accept(rows.features(Encoding.NONE));
            }
        }
    }
}
