package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.preparation.RowRoles;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampledRowsTest {
    private static final Plan BY_SOURCE = Plan.defaults()
            .with("workers-by", "s")
            .with("screened", "0")
            .with("root", "10")
            .with("test-share", "0.25");

    private static SourceSample sample(Dataset data, Plan plan, int limit) {
        return PreparedData.of(data, plan).probe().sample(limit);
    }

    private static Set<Integer> set(int[] rows) {
        return Arrays.stream(rows).boxed().collect(Collectors.toSet());
    }

    /** All rows of each worker but those the server keeps, each with its place and none twice. */
    @Test
    void aLargeLimitTakesEveryRowOfEveryWorker() {
        Laws.check(10, seed -> {
            Dataset data = Samples.dataset(seed, 400, 3, 4);
            Plan plan =
                    BY_SOURCE.with("seed", Integer.toString(1 + seed.random().nextInt(1000)));
            RowRoles roles = PreparedData.roles(data.outline(), plan);
            SampledRows sampled = SampledRows.of(roles, data.outline(), plan, 1000);
            assertThat(sampled.rows()).isSorted().hasSize(390);
            assertThat(sampled.names()).isEqualTo(roles.partition().workers());
            Set<Integer> heldOut = set(roles.heldOut());
            Set<Integer> root = Arrays.stream(roles.root())
                    .map(r -> roles.learning()[r])
                    .boxed()
                    .collect(Collectors.toSet());
            for (int i = 0; i < 390; i++) {
                int row = sampled.rows()[i];
                assertThat(sampled.names().get(sampled.workers()[i]))
                        .isEqualTo(data.schema().groups().get(data.group(row)));
                assertThat(sampled.heldOut()[i]).isEqualTo(heldOut.contains(row));
                assertThat(root).doesNotContain(row);
            }
        });
    }

    @Test
    void theSampleHoldsTheRowsAsTheyCame() {
        Dataset data = Samples.dataset(Seed.of(1), 400, 3, 4);
        RowRoles roles = PreparedData.roles(data.outline(), BY_SOURCE);
        SampledRows sampled = SampledRows.of(roles, data.outline(), BY_SOURCE, 30);
        SourceSample sample = sample(data, BY_SOURCE, 30);
        Dataset cells = sample.table().cells();
        assertThat(cells.rows()).isEqualTo(120);
        assertThat(sample.heldOut()).isEqualTo(sampled.heldOut());
        for (int i = 0; i < 120; i++) {
            assertThat(cells.row(i)).isEqualTo(data.row(sampled.rows()[i]));
            assertThat(cells.label(i)).isEqualTo(data.label(sampled.rows()[i]));
            assertThat(cells.group(i)).isEqualTo(sampled.workers()[i]);
        }
    }

    /** Drawn from all rows of a worker alike, by the seed. */
    @Test
    void aSmallLimitIsKeptByEveryWorkerAndDrawnByTheSeed() {
        Dataset data = Samples.dataset(Seed.of(1), 402, 3, 4);
        Set<List<Integer>> different = new HashSet<>();
        int heldOut = 0;
        for (int seed = 1; seed <= 50; seed++) {
            Plan plan = BY_SOURCE.with("seed", Integer.toString(seed)).with("root", "0");
            RowRoles roles = PreparedData.roles(data.outline(), plan);
            SampledRows sampled = SampledRows.of(roles, data.outline(), plan, 20);
            for (int w = 0; w < 4; w++) {
                int worker = w;
                assertThat(Arrays.stream(sampled.workers())
                                .filter(own -> own == worker)
                                .count())
                        .isEqualTo(20);
            }
            different.add(Arrays.stream(sampled.rows()).boxed().toList());
            assertThat(SampledRows.of(roles, data.outline(), plan, 20).rows()).isEqualTo(sampled.rows());
            heldOut += (int)
                    IntStream.range(0, 80).filter(i -> sampled.heldOut()[i]).count();
        }
        assertThat(different).hasSize(50);
        // A quarter of 4000, and four standard deviations.
        assertThat(heldOut).isBetween(890, 1110);
    }

    /** A simulated liar's held-out rows are not poisoned and would speak for it. */
    @Test
    void theHeldOutRowsOfASourceAreInTheSampleUnlessItLies() {
        Dataset data = Samples.dataset(Seed.of(1), 400, 3, 4);
        for (String attack : List.of("label-flip", "aggressive")) {
            SourceSample sample = sample(data, BY_SOURCE.with("attack", attack).with("byzantine", "2"), 1000);
            boolean[] heldOut = sample.heldOut();
            for (int w = 0; w < 4; w++) {
                int worker = w;
                long own = IntStream.range(0, heldOut.length)
                        .filter(i -> heldOut[i] && sample.table().cells().group(i) == worker)
                        .count();
                // An attack on updates leaves rows as they are.
                assertThat(own > 0).as("%s, worker %d", attack, w).isEqualTo(w != 2 || attack.equals("aggressive"));
            }
        }
    }

    /** Without sources, held-out rows belong to no worker. */
    @Test
    void workersThatAreNoSourcesHaveTheirTrainingRowsOnly() {
        Dataset data = Samples.dataset(Seed.of(1), 400, 3);
        SourceSample sample = sample(data, Plan.defaults().with("workers", "5").with("test-share", "0.25"), 1000);
        assertThat(sample.table().rows()).isEqualTo(300);
        assertThat(sample.table().schema().groups()).hasSize(5);
        assertThat(sample.heldOut()).doesNotContain(true);
    }

    @Test
    void aSampleKeepsItsFlagsToItself() {
        Table table = Table.of(Samples.dataset(Seed.of(1), 3, 2, 2));
        boolean[] flags = {true, false, false};
        SourceSample sample = new SourceSample(table, flags);
        flags[1] = true;
        sample.heldOut()[2] = true;
        assertThat(sample.heldOut()).containsExactly(true, false, false);
        assertThatThrownBy(() -> new SourceSample(table, new boolean[2]))
                .isInstanceOf(InputException.class)
                .hasMessage("a sample needs one flag per row, got 2 for 3 rows");
    }
}
