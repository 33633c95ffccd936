package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BucketingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new PreAggregated(new Bucketing(1 + random.nextInt(3)), new Median(budget));
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** Who shares a bucket with whom is drawn by id. */
    @Override
    protected boolean anonymous() {
        return false;
    }

    /** Every coordinate lies between means of honest updates. */
    @Override
    protected double growth(int workers, int length) {
        return Math.sqrt(Math.min(workers, length));
    }

    private static Round round(Randomness random, int n) {
        double[][] x = new double[n][];
        Arrays.setAll(x, i -> random.gaussians(2));
        return Round.of(x);
    }

    @Test
    void everyVoteIsInOneBucketAndABucketIsTheMeanOfItsMembers() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            Round round = round(random, 1 + random.nextInt(12));
            int size = 1 + random.nextInt(4);
            List<PreAggregator.Mixed> buckets = new Bucketing(size).mix(round, 0);
            int n = round.updates().size();
            assertThat(buckets).hasSize((int) Math.ceil((double) n / size));
            assertThat(buckets.stream().flatMapToInt(b -> Arrays.stream(b.members())))
                    .containsExactlyInAnyOrder(IntStream.range(0, n).boxed().toArray(Integer[]::new));
            for (int b = 0; b < buckets.size(); b++) {
                int[] members = buckets.get(b).members();
                assertThat(members).isSorted().hasSizeLessThanOrEqualTo(size);
                assertThat(buckets.get(b).update().worker()).isEqualTo(b);
                assertThat(buckets.get(b).update().vector())
                        .isEqualTo(Mean.of(Arrays.stream(members)
                                .mapToObj(round.updates()::get)
                                .toList()));
            }
            assertThat(buckets.get(0).members()).contains(0);
        });
    }

    @Test
    void anotherRoundMixesOthers() {
        Round first = round(Seed.of(1).random(), 4);
        Set<Integer> partners = new HashSet<>();
        for (int t = 0; t < 50; t++) {
            Round round =
                    new Round(t, 4, first.updates(), first.theta(), Seed.of(2).child("round", t), Carry.NONE, null);
            partners.add(new Bucketing(2).mix(round, 0).get(0).members()[1]);
        }
        assertThat(partners).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void aLiarMaySpoilABucketSoMoreWorkersAreNeeded() {
        assertThat(Aggregators.create("bucketing + median(f=2)", 0).minWorkers())
                .isEqualTo(9);
        assertThat(Aggregators.create("bucketing(size=3) + krum", 1).minWorkers())
                .isEqualTo(13);
        assertThat(Aggregators.create("bucketing(size=2147483647) + bulyan(f=100000000)", 1)
                        .minWorkers())
                .isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> new Bucketing(0))
                .isInstanceOf(InputException.class)
                .hasMessage("bucketing: size must be >= 1, got 0");
    }
}
