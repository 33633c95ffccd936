package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SourceGroupsTest {
    @Test
    void everySourceIsInOneGroupAndEnoughGroupsAreLeft() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            int sources = 1 + random.nextInt(300);
            int f = random.nextInt(1 + sources / 3);
            int most = 1 << random.nextInt(10);
            long[] sizes = IntStream.range(0, sources)
                    .mapToLong(s -> random.nextInt(1 + most))
                    .toArray();
            SourceGroups groups = SourceGroups.of(sizes, f);
            assertThat(groups.groupOf()).hasSize(sources);
            long[] rows = new long[groups.count()];
            for (int s = 0; s < sources; s++) {
                rows[groups.groupOf()[s]] += sizes[s];
            }
            long nonEmpty = Arrays.stream(sizes).filter(n -> n > 0).count();
            assertThat(rows).doesNotContain(nonEmpty == 0 ? -1L : 0L);
            assertThat((long) groups.count()).isBetween(Math.min(nonEmpty, 4L * f + 1), Math.max(1, nonEmpty));
            assertThat(groups.tolerated()).isEqualTo(Math.min(f, (groups.count() - 1) / 2));
            assertThat(groups.names()).hasSize(groups.count()).doesNotHaveDuplicates();
        });
    }

    /** A source says something by itself if it has 64 rows; smaller ones are pooled in their order. */
    @Test
    void onlySmallSourcesArePooled() {
        assertThat(SourceGroups.of(new long[] {64, 10, 20, 1000, 40, 5}, 0).groupOf())
                .containsExactly(0, 1, 1, 2, 1, 3);
        // Five groups are wanted for f = 1.
        assertThat(SourceGroups.of(new long[] {64, 10, 20, 1000, 40, 5}, 1).groupOf())
                .containsExactly(0, 1, 2, 3, 4, 1);
        assertThat(SourceGroups.of(new long[] {3, 0, 3, 3, 3}, 0).groupOf()).containsExactly(0, 0, 0, 0, 0);
        assertThat(SourceGroups.of(new long[] {3, 0, 3, 3, 3}, 1)).satisfies(groups -> {
            assertThat(groups.groupOf()).containsExactly(0, 0, 1, 2, 3);
            assertThat(groups.across()).isEqualTo(new AcrossSources(1));
        });
    }
}
