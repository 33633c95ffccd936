package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.Dataset;
import holdfast.data.RowHash;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** DataFrames are trained in the order of what their rows hold, wherever the rows are. */
class HashOrderTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** Rows some of which are there several times, with sources named against their order. */
    private static Dataset data(Seed seed, int rows, int distinct, int sources) {
        Randomness random = seed.random();
        Dataset some = Samples.dataset(seed, distinct, 3);
        int[] chosen =
                IntStream.range(0, rows).map(r -> random.nextInt(distinct)).toArray();
        Dataset data = some.withoutGroups().select(chosen);
        return data.grouped(
                IntStream.range(0, sources).mapToObj(s -> "s" + (sources - s)).toList(),
                IntStream.range(0, rows)
                        .map(r -> r < sources ? r : random.nextInt(sources))
                        .toArray());
    }

    private static org.apache.spark.sql.Dataset<Row> shuffled(Dataset data, Seed seed, int partitions) {
        int[] order = IntStream.range(0, data.rows()).toArray();
        seed.random().shuffle(order);
        return Sparks.frame(spark, data.select(order), partitions);
    }

    @Test
    void everyWorkerHasItsRowsInTheOrderOfOneProcess() {
        Laws.check(12, seed -> {
            Randomness random = seed.random();
            int sources = 1 + random.nextInt(6);
            Dataset data = data(seed, sources + random.nextInt(900), 1 + random.nextInt(600), sources);
            Dataset sorted = ContentOrder.sorted(data);
            SparkTable table = SparkTable.of(
                    shuffled(data, seed, 1 + random.nextInt(5)),
                    new Columns("features", "label", null, "source"),
                    Target.NUMBER,
                    Plan.defaults());
            assertThat(table.sources()).isEqualTo(sorted.schema().groups());
            RowAssignment bySource = table.bySource();
            BlockLayout cut = BlockLayout.of(bySource.sizes, 256, 1 + random.nextInt(4), false);
            Map<Integer, TreeMap<Integer, Piece>> pieces = new TreeMap<>();
            table.dealt(bySource, cut, data.schema().classes())
                    .rdd()
                    .collect()
                    .forEach(piece -> pieces.computeIfAbsent(piece.worker(), w -> new TreeMap<>())
                            .put(piece.firstBlock(), piece));
            List<int[]> expected = sorted.rowsBySource();
            for (int w = 0; w < expected.size(); w++) {
                List<double[]> rows = new ArrayList<>();
                pieces.get(w)
                        .values()
                        .forEach(piece -> IntStream.range(0, piece.rows().rows())
                                .forEach(r -> rows.add(piece.rows().row(r))));
                assertThat(rows.toArray(double[][]::new))
                        .isEqualTo(Arrays.stream(expected.get(w))
                                .mapToObj(sorted::row)
                                .toArray(double[][]::new));
            }
        });
    }

    /** Enough keys for several ranges, in the sorter alone. */
    @Test
    void rangesOfKeysFollowOneAnother() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            TreeMap<String, Long> sources = new TreeMap<>();
            int partitions = 1 + random.nextInt(4);
            List<RowKeys> keys = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            RowHash hash = new RowHash();
            for (int p = 0; p < partitions; p++) {
                SourceCounts named = new SourceCounts();
                RowKeys own = new RowKeys(named);
                int rows = random.nextInt(200);
                for (int r = 0; r < rows; r++) {
                    Row row = row("s" + random.nextInt(4), random.nextInt(60));
                    own.add(row, named.add(row.getString(3), 1), hash);
                    sources.merge(row.getString(3), 1L, Long::sum);
                    expected.add(row.getString(3) + ":" + hex(hash.high()) + hex(hash.low()));
                }
                keys.add(own);
            }
            if (expected.isEmpty()) {
                return;
            }
            expected.sort(Comparator.naturalOrder());
            HashOrder.Ranges ranges = HashOrder.Ranges.of(sources, partitions, 32);
            List<List<KeyRange.Batch>> arriving = new ArrayList<>();
            IntStream.range(0, ranges.count()).forEach(r -> arriving.add(new ArrayList<>()));
            for (int p = partitions - 1; p >= 0; p--) {
                Iterator<scala.Tuple2<Integer, KeyRange.Batch>> batches = ranges.divided(p, keys.get(p));
                batches.forEachRemaining(pair -> arriving.get(pair._1()).add(pair._2()));
            }
            List<String> sorted = new ArrayList<>();
            for (List<KeyRange.Batch> batches : arriving) {
                KeyRange range = KeyRange.sorted(ranges, batches.iterator());
                range.forEach((source, high, low) -> sorted.add(ranges.names()[source] + ":" + hex(high) + hex(low)));
            }
            assertThat(sorted).isEqualTo(expected);
        });
    }

    /** Rows dealt in turn are known by their numbers, which go on from range to range. */
    @Test
    void rowsOfSeveralRangesAreDealtByTheirNumbersInTheTable() {
        List<Row> rows = IntStream.range(0, 300).mapToObj(r -> row("s", r)).toList();
        JavaRDD<Row> parts =
                JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, 3);
        HashOrder order = HashOrder.of(
                parts.mapPartitions(part -> List.of(keys(part)).iterator()), new TreeMap<>(Map.of("s", 300L)), 64);
        assertThat(order.stretches()).hasSizeGreaterThan(1);
        List<Integer> inTurn = parts.zipPartitions(
                        order.dealers(RowAssignment.inTurn(300, 7)), (part, dealer) -> numbers(part, dealer.next(), 7))
                .collect();
        Integer[] sorted = IntStream.range(0, 300).boxed().toArray(Integer[]::new);
        Arrays.sort(sorted, Comparator.comparing(r -> hash(rows.get(r))));
        for (int i = 0; i < sorted.length; i++) {
            assertThat(inTurn.get(sorted[i])).isEqualTo(i);
        }
    }

    private static RowKeys keys(Iterator<Row> part) {
        SourceCounts named = new SourceCounts();
        RowKeys keys = new RowKeys(named);
        RowHash hash = new RowHash();
        part.forEachRemaining(row -> keys.add(row, named.add(row.getString(3), 1), hash));
        return keys;
    }

    /** The numbers of rows in the table that follow from their workers and places. */
    private static Iterator<Integer> numbers(Iterator<Row> part, RowOrder.Dealer dealer, int workers) {
        List<Integer> numbers = new ArrayList<>();
        part.forEachRemaining(row -> {
            int worker = dealer.worker(row);
            numbers.add((int) dealer.place() * workers + worker);
        });
        return numbers.iterator();
    }

    private static String hash(Row row) {
        RowHash hash = new RowHash();
        RowKeys.hash(row, hash);
        return hex(hash.high()) + hex(hash.low());
    }

    /** A task that is repeated may get its batches in another order. */
    @Test
    void equalRowsKeepTheirPlacesInWhateverOrderKeysArrive() {
        HashOrder.Ranges ranges = new HashOrder.Ranges(new String[] {"s"}, new long[] {0, 2}, 1);
        List<KeyRange.Batch> batches = List.of(new KeyRange.Batch(0, 1), new KeyRange.Batch(1, 1));
        HashOrder.Share share = new HashOrder.Share(RowAssignment.together(2).stretch(0, 0, 2), 0);
        for (List<KeyRange.Batch> arriving : List.of(batches, List.of(batches.get(1), batches.get(0)))) {
            Map<Integer, Long> places = new TreeMap<>();
            KeyRange.sorted(ranges, arriving.iterator())
                    .tickets(share)
                    .forEachRemaining(to -> places.put(to._1(), to._2().place()[0]));
            assertThat(places).isEqualTo(Map.of(0, 0L, 1, 1L));
        }
    }

    private static Row row(String source, int value) {
        return RowFactory.create(Vectors.dense(value, 1), 0.0, 1.0, source);
    }

    private static String hex(long bits) {
        return String.format("%016x", bits);
    }

    @Test
    void aTicketIsForOneRowAndEveryTicketIsUsed() {
        RowHash hash = new RowHash();
        List<Row> rows = List.of(row("a", 1), row("a", 2), row("a", 1));
        long[] high = new long[3];
        long[] low = new long[3];
        for (int r = 0; r < 3; r++) {
            RowKeys.hash(rows.get(r), hash);
            high[r] = hash.high();
            low[r] = hash.low();
        }
        Tickets.Batch batch = new Tickets.Batch(high, low, new int[] {0, 0, 0}, new long[] {5, 6, 7});
        Tickets tickets = Tickets.of(List.of(batch).iterator());
        List<Long> places = new ArrayList<>();
        for (int r : new int[] {2, 0}) {
            tickets.worker(rows.get(r));
            places.add(tickets.place());
        }
        assertThat(places).containsExactlyInAnyOrder(5L, 7L);
        assertThatThrownBy(() -> tickets.worker(rows.get(0))).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> tickets.worker(row("b", 2))).isInstanceOf(InputException.class);
        assertThatThrownBy(tickets::requireAll).hasMessageContaining("changed between two readings");
        tickets.worker(rows.get(1));
        tickets.requireAll();
    }

    @Test
    void partitionsAndTheOrderInThemChangeNoBit() {
        Seed seed = Seed.of(3);
        Dataset data = data(seed, 3000, 2500, 5);
        for (String plan : List.of(
                "workers-by=s;rounds=12",
                "workers=7;partition=in-turn;rounds=12",
                "workers=7;partition=dirichlet(alpha=1);rounds=5;test-share=0.2",
                "workers-by=s;rounds=5;statistics=pooled;scale=standardise")) {
            Plan made = Plan.defaults().with(PlanKey.TEST_SHARE, 0.0);
            for (String setting : plan.split(";")) {
                made = made.with(setting.split("=", 2)[0], setting.split("=", 2)[1]);
            }
            Plan used = made;
            long[] expected = Laws.bits(
                    Training.of(ContentOrder.sorted(data), used).run().model().theta());
            for (int partitions : new int[] {1, 3, 7}) {
                SparkTable table = SparkTable.of(
                        shuffled(data, seed.child("partitions", partitions), partitions)
                                .repartition(partitions),
                        new Columns("features", "label", null, "source"),
                        Target.NUMBER,
                        used);
                try (PreparedRun prepared =
                        new SparkEngine(table, used, data.schema(), data.source(), spark).startWorkers(spark)) {
                    assertThat(Laws.bits(Training.of(data.source(), used)
                                    .run(prepared)
                                    .model()
                                    .theta()))
                            .as("%s in %d partitions", plan, partitions)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
    }
}
