package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionsTest {
    private static Partition deal(String text, Dataset data, int workers, Seed seed) {
        return Partitions.catalogue().create(Spec.parse(text)).deal(data, workers, seed);
    }

    /** Rows of class 1 that a shard has. */
    private static long ones(Dataset data, int[] shard) {
        return Arrays.stream(shard).filter(r -> data.label(r) == 1).count();
    }

    @Test
    void everyRowIsDealtOnceAndTheSameSeedDealsTheSame() {
        for (String name : Partitions.catalogue().names()) {
            Laws.check(50, seed -> {
                Randomness random = seed.random();
                int workers = 1 + random.nextInt(12);
                Dataset data = Samples.dataset(seed, 2 * workers + random.nextInt(300), 2);
                Partition dealt = deal(name, data, workers, seed);
                assertThat(dealt.size()).isEqualTo(workers);
                int[] all = dealt.rows().stream()
                        .flatMapToInt(Arrays::stream)
                        .sorted()
                        .toArray();
                assertThat(all).doesNotHaveDuplicates();
                int dropped = name.equals("by-class") ? data.rows() % workers : 0;
                assertThat(all).hasSize(data.rows() - dropped);
                assertThat(dealt.rows())
                        .allSatisfy(shard -> assertThat(shard).isSorted().isNotEmpty());
                Partition again = deal(name, data, workers, seed);
                for (int w = 0; w < workers; w++) {
                    assertThat(again.rows().get(w)).isEqualTo(dealt.rows().get(w));
                }
            });
        }
    }

    @Test
    void inTurnDealsRowByRow() {
        Partition dealt = deal("in-turn", Samples.dataset(Seed.of(1), 8, 2), 3, Seed.of(1));
        assertThat(dealt.rows().get(0)).containsExactly(0, 3, 6);
        assertThat(dealt.rows().get(1)).containsExactly(1, 4, 7);
        assertThat(dealt.rows().get(2)).containsExactly(2, 5);
    }

    @Test
    void gammaGoesFromExtremeToIid() {
        Laws.check(30, seed -> {
            Dataset data = Samples.dataset(seed, 200, 2);
            for (int w = 0; w < 7; w++) {
                assertThat(deal("gamma(similarity=1)", data, 7, seed).rows().get(w))
                        .isEqualTo(deal("iid", data, 7, seed).rows().get(w));
                assertThat(deal("gamma(similarity=0)", data, 7, seed).rows().get(w))
                        .isEqualTo(deal("extreme", data, 7, seed).rows().get(w));
            }
        });
    }

    @Test
    void extremeLeavesAtMostOneWorkerWithTwoClasses() {
        Laws.check(30, seed -> {
            Dataset data = Samples.dataset(seed, 150, 2);
            assertThat(deal("extreme", data, 9, seed).rows().stream()
                            .filter(shard -> ones(data, shard) % shard.length != 0))
                    .hasSizeLessThanOrEqualTo(1);
        });
    }

    @Test
    void shardsAreCutFromTheSortedRowsAndDealtOut() {
        Laws.check(30, seed -> {
            Dataset data = Samples.dataset(seed, 240, 2);
            Partition dealt = deal("shards(count=2)", data, 12, seed);
            assertThat(dealt.rows()).allSatisfy(shard -> assertThat(shard).hasSize(20));
            // All but the one piece across the border of the classes have one class.
            long whole = dealt.rows().stream()
                    .filter(shard -> ones(data, shard) % 10 == 0)
                    .count();
            assertThat(whole).isGreaterThanOrEqualTo(11);
        });
    }

    @ParameterizedTest
    @CsvSource({"0.05", "0.5", "1", "20"})
    void dirichletSharesHaveItsMoments(double alpha) {
        int places = 5;
        int draws = 20_000;
        Randomness random = Seed.of(3).random();
        double[] mean = new double[places];
        double squares = 0;
        for (int i = 0; i < draws; i++) {
            double[] shares = random.dirichlet(alpha, places);
            assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-12));
            for (int k = 0; k < places; k++) {
                mean[k] += shares[k] / draws;
            }
            squares += (shares[0] - 1.0 / places) * (shares[0] - 1.0 / places) / draws;
        }
        assertThat(mean).containsExactly(new double[] {0.2, 0.2, 0.2, 0.2, 0.2}, within(0.015));
        double variance = 0.2 * 0.8 / (places * alpha + 1);
        assertThat(squares).isCloseTo(variance, within(0.06 * variance));
    }

    @Test
    void aSmallAlphaIsUnevenAndALargeOneEven() {
        Dataset data = Samples.dataset(Seed.of(1), 2000, 2);
        assertThat(spread(data, 0.2)).isGreaterThan(0.15);
        assertThat(spread(data, 1000)).isLessThan(0.05);
    }

    /** Mean distance of the workers' share of class 1 from that of all. */
    private static double spread(Dataset data, double alpha) {
        Partition dealt = deal("dirichlet(alpha=" + alpha + ")", data, 10, Seed.of(4));
        double all = (double) ones(data, IntStream.range(0, 2000).toArray()) / 2000;
        return dealt.rows().stream()
                .mapToDouble(shard -> Math.abs((double) ones(data, shard) / shard.length - all))
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "similarity must be from 0 to 1, got 1.5 | gamma(similarity=1.5)",
                "similarity must be from 0 to 1, got NaN | gamma(similarity=NaN)",
                "alpha must be finite and > 0, got 0.0 | dirichlet(alpha=0)",
                "count must be at least 1, got 0 | shards(count=0)",
                "there must be at least one training row per worker, got 30 rows for 40 workers | shards(count=4)",
                "some of 10 workers hold nothing in 100 draws; use a larger alpha or fewer --workers | dirichlet(alpha=1e-6)",
                "unknown partition 'sharded'; known: iid, in-turn, by-class, extreme, gamma, dirichlet, shards | sharded"
            })
    void whatCannotBeDealtIsRefused(String message, String text) {
        Dataset data = Samples.dataset(Seed.of(1), 30, 2);
        assertThatThrownBy(() -> deal(text, data, 10, Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }
}
