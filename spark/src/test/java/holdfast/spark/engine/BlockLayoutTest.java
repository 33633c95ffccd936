package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Tree;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockLayoutTest {
    /**
     * Walks over all pieces: they follow each other without a gap, every place of a piece is in it and in its partition, a
     * partition has at most one piece of a worker. Returns how many there are.
     *
     * @param mostNodes of the tree of its worker's blocks that a piece may be
     */
    private static int pieces(BlockLayout cut, int mostNodes) {
        int count = 0;
        int last = 0;
        for (int w = 0; w < cut.workers(); w++) {
            int before = -1;
            for (long place = 0; place < cut.sizes[w]; count++) {
                int piece = cut.piece(w, place);
                int rows = cut.rows(w, piece);
                int firstBlock = cut.firstBlock(w, piece);
                int partition = cut.partition(w, place);
                assertThat(rows).isPositive();
                assertThat((long) firstBlock * cut.blockRows).isEqualTo(place);
                assertThat(cut.piece(w, place + rows - 1)).isEqualTo(piece);
                assertThat(cut.partition(w, place + rows - 1)).isEqualTo(partition);
                assertThat(partition).isBetween(Math.max(last, before + 1), cut.partitions - 1);
                int endBlock = firstBlock + (rows - 1) / cut.blockRows + 1;
                assertThat(Tree.nodes(cut.blocks(w), firstBlock, endBlock)).hasSizeLessThanOrEqualTo(mostNodes);
                before = partition;
                last = partition;
                place += rows;
            }
        }
        return count;
    }

    /** Rows by partition. */
    private static long[] loads(BlockLayout cut) {
        long[] loads = new long[cut.partitions];
        for (int w = 0; w < cut.workers(); w++) {
            for (long place = 0; place < cut.sizes[w]; ) {
                int rows = cut.rows(w, cut.piece(w, place));
                loads[cut.partition(w, place)] += rows;
                place += rows;
            }
        }
        return loads;
    }

    private static long[] sizes(Randomness random, int most) {
        return LongStream.generate(() -> 1 + random.nextInt(most))
                .limit(1 + random.nextInt(30))
                .toArray();
    }

    private static long largest(BlockLayout cut) {
        return Arrays.stream(loads(cut)).max().orElseThrow();
    }

    @Test
    void piecesAreFewNodesInBalancedPartitions() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int blockRows = 1 << random.nextInt(9);
            int partitions = 1 + random.nextInt(40);
            int most = 1 << random.nextInt(22);
            long[] sizes = sizes(random, most);
            BlockLayout cut = BlockLayout.of(sizes, blockRows, partitions, false);
            assertThat(pieces(cut, 12)).isLessThan(sizes.length + partitions);
            long fair = Arrays.stream(sizes).sum() / partitions;
            assertThat(largest(cut)).isLessThanOrEqualTo(fair + fair / 8 + blockRows + 1);
        });
    }

    @Test
    void whoHasAPieceInAPartition() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            BlockLayout cut = BlockLayout.of(sizes(random, 5_000), 64, 1 + random.nextInt(12), random.nextInt(2) == 0);
            for (int p = 0; p < cut.partitions; p++) {
                int partition = p;
                assertThat(cut.workers(p))
                        .containsExactly(IntStream.range(0, cut.workers())
                                .filter(w -> LongStream.range(0, cut.sizes[w])
                                        .anyMatch(place -> cut.partition(w, place) == partition))
                                .toArray());
            }
        });
    }

    @Test
    void aWorkerThatMustBeWholeIs() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            long[] sizes = sizes(random, 10_000);
            assertThat(pieces(BlockLayout.of(sizes, 256, 1 + random.nextInt(40), true), 1))
                    .isEqualTo(sizes.length);
        });
        assertThatThrownBy(() -> BlockLayout.of(new long[] {5, 1L << 31}, 256, 7, true))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "worker 1 must be held by one executor, which has room for at most 2^31 rows, got 2147483648");
    }

    @Test
    void oneWorkerWithNearlyAllRowsIsSpread() {
        BlockLayout cut = BlockLayout.of(new long[] {5_000, 90_000, 2_000, 3_000}, 256, 8, false);
        assertThat(pieces(cut, 8)).isLessThanOrEqualTo(11);
        assertThat(Arrays.stream(loads(cut)).boxed())
                .allSatisfy(load -> assertThat(load).isBetween(11_000L, 14_000L));
    }

    @Test
    void aThousandWorkersAreHardlyCut() {
        long[] sizes = new long[1000];
        Arrays.fill(sizes, 10_000);
        BlockLayout cut = BlockLayout.of(sizes, 256, 16, false);
        assertThat(pieces(cut, 8)).isLessThanOrEqualTo(1015);
        assertThat(Arrays.stream(loads(cut)).boxed())
                .allSatisfy(load -> assertThat(load).isBetween(600_000L, 650_000L));
    }

    @Test
    void fewerRowsThanPartitionsLeaveSomeEmpty() {
        BlockLayout cut = BlockLayout.of(new long[] {2, 1}, 256, 20, false);
        assertThat(pieces(cut, 1)).isEqualTo(2);
        assertThat(Arrays.stream(loads(cut)).sum()).isEqualTo(3);
    }

    @Test
    void tenToTheTenRowsAreCut() {
        BlockLayout cut = BlockLayout.of(new long[] {10_000_000_000L}, 256, 100, false);
        assertThat(pieces(cut, 12)).isEqualTo(100);
        assertThat(largest(cut)).isLessThan(113_000_000);
    }
}
