package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionTest {
    private static int[] all(Partition partition) {
        return partition.rows().stream().flatMapToInt(Arrays::stream).sorted().toArray();
    }

    @Test
    void dealtRowsBelongToOneWorkerEachInShardsThatDifferByOneAtMost() {
        Laws.check(50, seed -> {
            int rows = 20 + seed.random().nextInt(300);
            int workers = 1 + seed.child("w").random().nextInt(20);
            Partition partition = Partition.iid(Samples.dataset(seed, rows, 2), workers, seed);
            assertThat(partition.size()).isEqualTo(workers);
            assertThat(all(partition)).isEqualTo(IntStream.range(0, rows).toArray());
            assertThat(partition.rows()).allSatisfy(shard -> {
                assertThat(shard.length).isBetween(rows / workers, rows / workers + 1);
                assertThat(shard).isSorted();
            });
        });
    }

    @Test
    void theSeedDealsTheRows() {
        Dataset data = Samples.dataset(Seed.of(1), 100, 2);
        assertThat(Partition.iid(data, 5, Seed.of(1)).rows().get(0))
                .isEqualTo(Partition.iid(data, 5, Seed.of(1)).rows().get(0))
                .isNotEqualTo(Partition.iid(data, 5, Seed.of(2)).rows().get(0));
    }

    @Test
    void byClassCutsTheSortedRowsIntoEqualBlocksAndDropsTheRemainder() {
        Laws.check(50, seed -> {
            int rows = 30 + seed.random().nextInt(300);
            int workers = 2 + seed.child("w").random().nextInt(20);
            Dataset data = Samples.dataset(seed, rows, 2);
            Partition partition = Partition.byClass(data, workers, seed);
            int size = rows / workers;
            double lowestBefore = 1;
            for (int[] shard : partition.rows()) {
                assertThat(shard).hasSize(size).isSorted();
                double[] labels =
                        Arrays.stream(shard).mapToDouble(data::label).sorted().toArray();
                assertThat(labels[size - 1]).isLessThanOrEqualTo(lowestBefore);
                lowestBefore = labels[0];
            }
            assertThat(all(partition)).hasSize(size * workers).doesNotHaveDuplicates();
        });
    }

    @Test
    void manyClassesAndNumbersAreDealtFromTheLargestDown() {
        for (Dataset data :
                List.of(Samples.classes(Seed.of(1), 203, 2, 4, 0), Samples.numbers(Seed.of(1), 203, 2, 0))) {
            Partition partition = Partition.byClass(data, 10, Seed.of(2));
            double least = Double.POSITIVE_INFINITY;
            for (int[] shard : partition.rows()) {
                assertThat(shard).hasSize(20);
                DoubleSummaryStatistics labels =
                        Arrays.stream(shard).mapToDouble(data::label).summaryStatistics();
                assertThat(labels.getMax()).isLessThanOrEqualTo(least);
                least = labels.getMin();
            }
        }
    }

    @Test
    void dirichletRefusesNumbers() {
        assertThatThrownBy(() -> Partition.dirichlet(Samples.numbers(Seed.of(1), 20, 2, 0), 4, 1, Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--partition dirichlet deals classes, but y has numbers; use extreme or gamma, which sort by them");
    }

    @Test
    void bySourceGivesEachSourceItsRows() {
        Dataset data = Samples.dataset(Seed.of(1), 10, 2, 3);
        Partition partition = Partition.bySource(data);
        assertThat(partition.workers()).containsExactly("s0", "s1", "s2");
        assertThat(partition.rows().get(1)).containsExactly(1, 4, 7);
    }

    @Test
    void replicasHoldTheSameRowsUnderConsecutiveNumbers() {
        Partition once = Partition.bySource(Samples.dataset(Seed.of(1), 10, 2, 2));
        Partition thrice = once.replicated(3);
        assertThat(thrice.workers()).containsExactly("s0#1", "s0#2", "s0#3", "s1#1", "s1#2", "s1#3");
        for (int w = 0; w < 6; w++) {
            assertThat(thrice.rows().get(w)).isEqualTo(once.rows().get(w / 3));
        }
        assertThat(once.replicated(1)).isEqualTo(once);
    }

    @Test
    void aWorkerWithoutRowsIsRefused() {
        Dataset data = Samples.dataset(Seed.of(1), 3, 2);
        assertThatThrownBy(() -> Partition.iid(data, 4, Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("got 3 rows for 4 workers");
        assertThatThrownBy(() -> Partition.byClass(data, 0, Seed.of(1))).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new Partition(List.of("north"), List.of(new int[0])))
                .hasMessage("worker north has no rows");
    }
}
