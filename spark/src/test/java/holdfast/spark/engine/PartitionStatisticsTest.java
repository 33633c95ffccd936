package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.model.Target;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

/** Other complaints are read as users get them, in {@link EstimatorRefusalsTest}. */
class PartitionStatisticsTest {
    private static final Columns COLUMNS = new Columns("x", "y", "w", "hospital");

    private static Row row(Vector features, Object label, String source) {
        return RowFactory.create(features, label, 1.0, source);
    }

    /** Of partitions one after the other. */
    @SafeVarargs
    private static PartitionStatistics facts(List<Row>... partitions) {
        PartitionStatistics all = new PartitionStatistics();
        for (List<Row> partition : partitions) {
            all.add(PartitionStatistics.of(partition.iterator(), COLUMNS, Target.NUMBER, false), COLUMNS);
        }
        return all;
    }

    @Test
    void theFirstRowThatIsWrongIsNamedWhereverPartitionsEnd() {
        Row good = row(Vectors.dense(1, 2), 0.0, "a");
        Row longer = row(Vectors.dense(1, 2, 3), 0.0, "a");
        Row unlabelled = row(Vectors.dense(1, 2, 3), null, "a");
        String sizes = "column x must have vectors of one size, got 3 elements after 2";
        for (PartitionStatistics facts : List.of(
                facts(List.of(good, good, longer, unlabelled)),
                facts(List.of(good, good), List.of(longer, unlabelled)),
                facts(List.of(good), List.of(), List.of(good), List.of(longer), List.of(unlabelled)))) {
            assertThat(facts.complaint).isEqualTo(sizes);
            assertThat(facts.rows).isEqualTo(2);
        }
        PartitionStatistics late =
                facts(List.of(good), List.of(good, row(Vectors.dense(1, 2), Double.NaN, "a"), longer));
        assertThat(late.complaint).isEqualTo("column y must be a finite number, got NaN");
        assertThat(late.rows).isEqualTo(2);
    }

    @Test
    void whatIsKnownOfAllRowsDoesNotDependOnWherePartitionsEnd() {
        Row dense = row(Vectors.dense(1, 0), 0.0, "b");
        Row sparse = row(Vectors.sparse(2, new int[] {1}, new double[] {1e39}), -0.0, "a");
        for (PartitionStatistics facts :
                List.of(facts(List.of(dense, dense, sparse)), facts(List.of(dense), List.of(dense, sparse)))) {
            assertThat(facts.rows).isEqualTo(3);
            assertThat(facts.stored).isEqualTo(5);
            assertThat(facts.labels.keySet()).as("there is one zero").containsExactly(0.0);
            assertThat(facts.sources.names()).containsExactly("b", "a");
            assertThat(facts.large).isEqualTo(new PartitionStatistics.Large(2, 1, 1e39));
            assertThat(facts.complaint).isNull();
        }
    }

    @Test
    void rowsThatNameThemselvesAreNoSources() {
        List<Row> many = Stream.iterate(0, i -> i + 1)
                .limit(60_000)
                .map(i -> row(Vectors.dense(1), 0.0, "patient " + i))
                .toList();
        List<Row> more = Stream.iterate(0, i -> i + 1)
                .limit(60_000)
                .map(i -> row(Vectors.dense(1), 0.0, "visitor " + i))
                .toList();
        assertThat(facts(many).complaint).isNull();
        assertThat(facts(many, more).complaint)
                .isEqualTo("column hospital must name at most 100000 sources, got more up to here; is it the rows' own"
                        + " name?");
    }
}
