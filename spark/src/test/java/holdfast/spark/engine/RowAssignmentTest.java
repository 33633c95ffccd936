package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Partition;
import holdfast.data.Schema;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who holds which row at which place, whatever partitions the table has: as {@link Partition} says. */
class RowAssignmentTest {
    /** How many rows each of some partitions has, empty ones among them. */
    private static int[] partitions(Randomness random, int rows) {
        int[] ends = IntStream.generate(() -> random.nextInt(rows + 1))
                .limit(random.nextInt(6))
                .sorted()
                .toArray();
        int[] counts = new int[ends.length + 1];
        for (int p = 0; p < counts.length; p++) {
            counts[p] = (p < ends.length ? ends[p] : rows) - (p == 0 ? 0 : ends[p - 1]);
        }
        return counts;
    }

    /** The rows of each worker by their places. */
    private static List<int[]> dealt(RowAssignment deal, int[] partitions, int[] sources) {
        List<int[]> rows = Arrays.stream(deal.sizes)
                .mapToObj(size -> IntStream.generate(() -> -1).limit(size).toArray())
                .toList();
        int number = 0;
        for (int p = 0; p < partitions.length; p++) {
            RowAssignment.Places dealer =
                    Sparks.travelled(deal.stretch(p, number, partitions[p])).fromFirst();
            for (int i = 0; i < partitions[p]; i++, number++) {
                int worker = dealer.worker(number, sources == null ? "" : "s" + sources[number]);
                if (worker >= 0) {
                    assertThat(rows.get(worker)[(int) dealer.place()])
                            .as("who was there")
                            .isEqualTo(-1);
                    rows.get(worker)[(int) dealer.place()] = number;
                }
            }
        }
        return rows;
    }

    @Test
    void inTurn() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int workers = 1 + random.nextInt(20);
            int rows = workers + random.nextInt(300);
            assertThat(dealt(RowAssignment.inTurn(rows, workers), partitions(random, rows), null))
                    .containsExactlyElementsOf(Partition.inTurn(Samples.dataset(seed, rows, 1), workers, seed)
                            .rows());
        });
    }

    /** A group for each worker; every group has one. */
    private static int[] groups(Randomness random, int workers) {
        int groups = 1 + random.nextInt(workers);
        int[] groupOf = IntStream.range(0, workers)
                .map(w -> w < groups ? w : random.nextInt(groups))
                .toArray();
        random.shuffle(groupOf);
        return groupOf;
    }

    /** The rows of each group in their order. */
    private static List<int[]> merged(List<int[]> shards, int[] groupOf) {
        return IntStream.rangeClosed(0, Arrays.stream(groupOf).max().orElseThrow())
                .mapToObj(g -> IntStream.range(0, groupOf.length)
                        .filter(w -> groupOf[w] == g)
                        .flatMap(w -> Arrays.stream(shards.get(w)))
                        .sorted()
                        .toArray())
                .toList();
    }

    @Test
    void inTurnByGroup() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int workers = 1 + random.nextInt(20);
            int rows = workers + random.nextInt(300);
            int[] groupOf = groups(random, workers);
            assertThat(dealt(RowAssignment.inTurn(rows, groupOf), partitions(random, rows), null))
                    .containsExactlyElementsOf(merged(
                            Partition.inTurn(Samples.dataset(seed, rows, 1), workers, seed)
                                    .rows(),
                            groupOf));
        });
    }

    @Test
    void together() {
        assertThat(dealt(RowAssignment.together(5), new int[] {2, 0, 3}, null))
                .containsExactly(new int[] {0, 1, 2, 3, 4});
    }

    /** By partition, how many rows each source has. */
    private static List<Map<String, Long>> counts(int[] partitions, int[] of) {
        List<Map<String, Long>> counts = new ArrayList<>();
        int number = 0;
        for (int count : partitions) {
            Map<String, Long> here = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                here.merge("s" + of[number++], 1L, Long::sum);
            }
            counts.add(here);
        }
        return counts;
    }

    private static Map<String, Integer> index(int sources, IntUnaryOperator workerOf) {
        return IntStream.range(0, sources).boxed().collect(Collectors.toMap(s -> "s" + s, workerOf::applyAsInt));
    }

    @Test
    void aTaskGetsWhatItsOwnRowsNeedHoweverManySourcesThereAre() {
        Laws.check(10, seed -> {
            Randomness random = seed.random();
            int sources = 50_000;
            int[] of = IntStream.range(0, 2 * sources)
                    .map(r -> r < sources ? r : random.nextInt(sources))
                    .toArray();
            int[] partitions = IntStream.generate(() -> 1000).limit(100).toArray();
            List<PartitionStatistics> facts = counts(partitions, of).stream()
                    .map(here -> {
                        PartitionStatistics made = new PartitionStatistics();
                        here.forEach(made.sources::add);
                        made.rows = 1000;
                        return made;
                    })
                    .toList();
            for (RowAssignment deal : List.of(
                    RowAssignment.bySource(
                            facts.stream().map(f -> f.sources.byName()).toList(), index(sources, s -> s)),
                    RowAssignment.listed(of.length, List.of(random.choose(sources, of.length))),
                    RowAssignment.bySource(
                            facts.stream().map(f -> f.sources.byName()).toList(), index(sources, s -> s / 7)),
                    RowAssignment.inTurn(of.length, sources),
                    RowAssignment.inTurn(
                            of.length,
                            IntStream.range(0, sources).map(w -> w / 7).toArray()))) {
                for (ReadOrder.Share share : new ReadOrder(null, facts).shares(deal)) {
                    // A worker and a place for each of its thousand rows at most.
                    assertThat(Sparks.bytes(share).length).isLessThan(1000 * 12 + 2000);
                }
            }
        });
    }

    @Test
    void bySource() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int sources = 1 + random.nextInt(9);
            int rows = sources + random.nextInt(200);
            int[] of = IntStream.range(0, rows)
                    .map(r -> r < sources ? r : random.nextInt(sources))
                    .toArray();
            int[] partitions = partitions(random, rows);
            List<Map<String, Long>> counts = counts(partitions, of);
            DatasetBuilder builder = new DatasetBuilder(1);
            Arrays.stream(of).forEach(source -> builder.add(new double[1], 0, source, 1));
            Dataset data = builder.build(
                    new Schema(
                            List.of("x"),
                            "y",
                            List.of(),
                            IntStream.range(0, sources).mapToObj(s -> "s" + s).toList()),
                    DataSource.MEMORY);
            assertThat(dealt(RowAssignment.bySource(counts, index(sources, s -> s)), partitions, of))
                    .containsExactlyElementsOf(Partition.bySource(data).rows());
            int[] groupOf = groups(random, sources);
            assertThat(dealt(RowAssignment.bySource(counts, index(sources, s -> groupOf[s])), partitions, of))
                    .containsExactlyElementsOf(merged(Partition.bySource(data).rows(), groupOf));
        });
    }

    @Test
    void asListed() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int workers = 1 + random.nextInt(9);
            int rows = 2 * workers + random.nextInt(200);
            // Some rows belong to nobody.
            List<int[]> shards = Partition.byClass(Samples.dataset(seed, rows, 1), workers, seed)
                    .rows();
            assertThat(dealt(RowAssignment.listed(rows, shards), partitions(random, rows), null))
                    .containsExactlyElementsOf(shards);
        });
    }

    @Test
    void rowsThatAreMoreOrOfMoreSourcesThanWereCountedAreRefused() {
        RowAssignment.Places bySource = RowAssignment.bySource(List.of(Map.of("a", 2L)), Map.of("a", 0))
                .stretch(0, 0, 2)
                .fromFirst();
        bySource.worker(0, "a");
        assertThatThrownBy(() -> bySource.worker(1, "b")).hasMessageContaining("changed between two readings");
        RowAssignment.Places listed = RowAssignment.listed(3, List.of(new int[] {0, 2}))
                .stretch(0, 0, 2)
                .fromFirst();
        assertThatThrownBy(() -> listed.worker(2, "")).hasMessageContaining("changed between two readings");
    }

    @Test
    void aWorkerWithoutRowsIsRefused() {
        assertThatThrownBy(() -> RowAssignment.inTurn(3, 4))
                .isInstanceOf(InputException.class)
                .hasMessage("there must be at least one training row per worker, got 3 rows for 4 workers");
    }
}
