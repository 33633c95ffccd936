package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PiecesTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** Dense, or sparse with room to spare. */
    private static Dataset data(Randomness random, holdfast.Seed seed) {
        int rows = 1 + random.nextInt(random.nextInt(2) == 0 ? 40 : 6000);
        return random.nextInt(2) == 0
                ? Samples.dataset(seed, rows, 1 + random.nextInt(5), 3)
                : Samples.sparse(seed, rows, 257 + random.nextInt(300), 6);
    }

    private static SparkTable table(Dataset data, int partitions) {
        return Sparks.table(
                Sparks.frame(spark, data, partitions), new Columns("features", "label", "weight", "source"));
    }

    private static Pieces pieces(SparkTable table, RowAssignment deal, int partitions) {
        int blockRows = Piece.builder(table.sparse(), table.width()).blockRows();
        return table.dealt(deal, BlockLayout.of(deal.sizes, blockRows, partitions, false), List.of("no", "yes"));
    }

    /** A leaf whose merger is no sum of integers: rounding tells one tree from another. */
    private static double[] weightedSum(Block block) {
        double[] sum = new double[block.columns()];
        double[] r = new double[block.rows()];
        for (int j = 0; j < r.length; j++) {
            r[j] = block.weight(j) * (0.1 + block.label(j));
        }
        block.addTransposed(r, sum);
        return sum;
    }

    @Test
    void whatIsMadeOfAllBlocksHasTheBitsOfOneProcess() {
        Laws.check(12, seed -> {
            Randomness random = seed.random();
            Dataset data = data(random, seed);
            SparkTable table = table(data, 1 + random.nextInt(5));
            Pieces pieces = pieces(table, RowAssignment.together(data.rows()), 1 + random.nextInt(30));
            assertThat(pieces.count()).isEqualTo(data.rows());
            assertThat(pieces.sparse()).isEqualTo(data.sparse());
            assertThat(Laws.bits(
                            pieces.reduce(PiecesTest::weightedSum, Vectors::add).get(0)))
                    .isEqualTo(Laws.bits(data.reduce(PiecesTest::weightedSum, Vectors::add)));
        });
    }

    @Test
    void everyRowIsOnceAtItsPlaceInItsPartition() {
        Laws.check(12, seed -> {
            Randomness random = seed.random();
            Dataset data = data(random, seed);
            int workers = 1 + random.nextInt(Math.min(data.rows(), 12));
            List<int[]> shards = Partition.iid(data, workers, seed).rows();
            SparkTable table = table(data, 1 + random.nextInt(5));
            Pieces pieces = pieces(table, RowAssignment.listed(data.rows(), shards), 1 + random.nextInt(30));
            Map<Integer, Integer> held = new HashMap<>();
            BlockLayout cut = pieces.cut();
            for (Placed placed : pieces.rdd()
                    .map(piece -> new Placed(TaskContext.getPartitionId(), piece))
                    .collect()) {
                Piece piece = placed.piece;
                int first = piece.firstBlock() * cut.blockRows;
                held.merge(piece.worker(), piece.rows().rows(), Integer::sum);
                assertThat(placed.partition).isEqualTo(cut.partition(piece.worker(), first));
                for (int r = 0; r < piece.rows().rows(); r++) {
                    int number = shards.get(piece.worker())[first + r];
                    assertThat(Laws.bits(piece.rows().row(r))).isEqualTo(Laws.bits(data.row(number)));
                    assertThat(piece.rows().label(r)).isEqualTo(data.label(number));
                    assertThat(piece.rows().weight(r)).isEqualTo(data.weight(number));
                }
            }
            assertThat(held).hasSize(workers);
            held.forEach((worker, rows) -> assertThat(rows).isEqualTo(shards.get(worker).length));
        });
    }

    private record Placed(int partition, Piece piece) implements Serializable {}

    @ParameterizedTest
    @ValueSource(strings = {"none", "fewer", "order", "value", "label", "weight", "source"})
    void rowsThatAreOthersAtTheSecondReadingAreRefused(String change) {
        JavaRDD<Row> restless = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(List.of(0, 1), 2)
                .flatMap(p ->
                        restless(p, System.getProperty("holdfast.change", "")).iterator());
        SparkTable table = Sparks.table(
                spark.createDataFrame(
                        restless,
                        new StructType()
                                .add("features", SQLDataTypes.VectorType())
                                .add("label", DataTypes.DoubleType)
                                .add("weight", DataTypes.DoubleType)
                                .add("source", DataTypes.StringType)),
                new Columns("features", "label", "weight", "source"));
        Schema schema = Piece.unnamed(2, "label", List.of()).withoutGroups();
        assertThat(refusedToRead(table)).isNull();
        assertThat(table.weights(RowAssignment.together(50), new int[1]).workers())
                .containsExactly(1.48);
        System.setProperty("holdfast.change", change);
        try {
            assertThat(refusedToRead(table))
                    .isInstanceOf(InputException.class)
                    .hasMessage("the rows of the DataFrame changed between two readings: cache or save it before");
            assertThatThrownBy(() -> table.outline(schema, DataSource.MEMORY))
                    .hasMessageContaining("changed between two readings");
            assertThatThrownBy(() -> table.weights(RowAssignment.together(50), new int[1]))
                    .hasMessageContaining("changed between two readings");
        } finally {
            System.clearProperty("holdfast.change");
        }
    }

    private static List<Row> restless(int partition, String change) {
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < 25; r++) {
            boolean other = partition == 1 && r == 13;
            rows.add(RowFactory.create(
                    org.apache.spark.ml.linalg.Vectors.dense(r, other && change.equals("value") ? -0.0 : 0.0),
                    other && change.equals("label") ? 2.0 : 1.0,
                    other && change.equals("weight") ? 3.0 : 1.0 + r % 2,
                    other && change.equals("source") ? "t" : "s"));
        }
        if (change.equals("order")) {
            Collections.swap(rows, 3, 4);
        }
        return switch (change) {
            case "none" -> List.of();
            case "fewer" -> rows.subList(0, 24);
            default -> rows;
        };
    }

    private static Throwable refusedToRead(SparkTable table) {
        return catchThrowable(() -> pieces(table, RowAssignment.together(50), 2).reduce(Block::rows, Integer::sum));
    }
}
