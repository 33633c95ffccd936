package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveScreeningTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new AdaptiveScreening(budget, 1.1 + 5 * random.nextDouble(), random.nextDouble());
    }

    @Override
    protected boolean translates() {
        return false;
    }

    /** A kept liar is at most factor times the median, which is at most the longest honest norm. */
    @Override
    protected double growth(int workers, int length) {
        return 6.1;
    }

    /** Workers 0..b-1 send this multiple of the honest update 1. */
    private static double direction(int workers, int liars, double lie, double factor) {
        double[][] vectors = new double[workers][];
        Arrays.setAll(vectors, w -> new double[] {w < liars ? lie : 1});
        return new AdaptiveScreening(0, factor, 0.01)
                .aggregate(Round.of(vectors))
                .direction()[0];
    }

    @Test
    void dropsNobodyWhoIsNotFarOutHoweverManyLieAndAllWhoAre() {
        assertThat(direction(20, 0, 0, 3)).isEqualTo(1);
        assertThat(direction(20, 9, -1e9, 3)).isEqualTo(1);
        assertThat(direction(20, 1, -2.9, 3)).isLessThan(1).isPositive();
    }

    @Test
    void failsFromOneQuarterOfLiarsJustBelowTheCutAndEarlierForAWiderOne() {
        assertThat(direction(20, 4, -2.999, 3)).isPositive();
        assertThat(direction(20, 5, -3, 3)).isNotPositive();
        assertThat(direction(20, 1, -19, 19)).isNotPositive();
    }

    /** The bound of the javadoc, after a round in which some of the honest were far out and are barred since. */
    @Test
    void theStepIsNotBelowWhatIsProven() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int n = 4 + random.nextInt(17);
            int b = random.nextInt((n + 1) / 2);
            double factor = 1.5 + 3 * random.nextDouble();
            AdaptiveScreening rule = new AdaptiveScreening(0, factor, 0.01);
            int[] loud = random.choose(random.nextInt((n - 1) / 2 + 1), n);
            List<WorkerUpdate> past = IntStream.range(0, n)
                    .mapToObj(w -> new WorkerUpdate(w, new double[] {Arrays.binarySearch(loud, w) >= 0 ? 1e3 : 1, 0}))
                    .toList();
            Carry carry = rule.aggregate(new Round(0, n, past, new double[2], seed, Carry.NONE, null))
                    .carry();
            double d = random.nextDouble() * (factor - 1) / (factor + 1);
            double lie = -factor * (1 - 2 * d * random.nextDouble());
            List<WorkerUpdate> votes = new ArrayList<>();
            for (int w = 0; w < n; w++) {
                double turn = 2 * Math.PI * random.nextDouble();
                double[] honest = {1 + d * Math.cos(turn), d * Math.sin(turn)};
                votes.add(new WorkerUpdate(w, w < b ? new double[] {lie, 0} : honest));
            }
            Aggregate made = rule.aggregate(new Round(1, n, votes, new double[2], seed, carry, null));
            int k = made.kept().length;
            double h = loud.length == 0 ? n - b : n / 2.0 - b;
            assertThat(made.direction()[0]).isGreaterThanOrEqualTo((h * (1 - d) - b * factor * (1 + d)) / k - 1e-12);
        });
    }

    /** So 1/(1 + factor) is not proven in general: two of twelve are fewer than a quarter. */
    @Test
    void honestWorkersWhoAreBarredMakeRoomForFewerLiars() {
        AdaptiveScreening rule = new AdaptiveScreening(0, 3, 0.01);
        List<WorkerUpdate> past = IntStream.range(0, 12)
                .mapToObj(w -> new WorkerUpdate(w, new double[] {w < 6 ? 100 : 1}))
                .toList();
        Carry carry = rule.aggregate(new Round(0, 12, past, new double[1], Seed.of(1), Carry.NONE, null))
                .carry();
        List<WorkerUpdate> votes = IntStream.range(0, 12)
                .mapToObj(w -> new WorkerUpdate(w, new double[] {w < 10 ? 1 : -3}))
                .toList();
        Round now = new Round(1, 12, votes, new double[1], Seed.of(1), carry, null);
        assertThat(rule.aggregate(now).direction()[0]).isNegative();
    }

    @Test
    void failsWhenAMajorityLiesForItDecidesWhatIsTypical() {
        assertThat(direction(20, 11, -1e9, 3)).isLessThan(-1e8);
    }

    @Test
    void remembersWhoWasFarOutForAHundredRoundsEachTime() {
        AdaptiveScreening rule = new AdaptiveScreening(0, 3, 0.01);
        double[] loud = {100};
        double[] quiet = {1};
        Carry carry = Carry.NONE;
        List<Integer> barred = new ArrayList<>();
        for (int number = 0; number < 400; number++) {
            double[] first = number == 0 || number == 150 ? loud : quiet;
            List<WorkerUpdate> votes = List.of(
                    new WorkerUpdate(0, first),
                    new WorkerUpdate(1, quiet),
                    new WorkerUpdate(2, quiet),
                    new WorkerUpdate(3, quiet),
                    new WorkerUpdate(4, quiet));
            Aggregate made = rule.aggregate(new Round(number, 5, votes, quiet, Seed.of(1), carry, null));
            carry = made.carry();
            if (made.kept().length == 4) {
                barred.add(number);
            }
        }
        assertThat(barred).hasSize(99 + 49).startsWith(0, 1).endsWith(197, 198);
    }

    @Test
    void theRoundsSoFarCountAlsoWhenAMissingUpdateMakesForMoreBuckets() {
        Aggregator rule = Aggregators.create("bucketing + adaptive-screening", 1);
        Carry carry = Carry.NONE;
        for (int number = 0; number < 200; number++) {
            int from = number < 150 ? 0 : 1;
            double[] last = {number == 0 ? 100 : 1};
            List<WorkerUpdate> votes = IntStream.range(from, 10)
                    .mapToObj(w -> new WorkerUpdate(w, w == 9 ? last : new double[] {1}))
                    .toList();
            Aggregate made = rule.aggregate(new Round(number, 10, votes, last, Seed.of(number), carry, null));
            assertThat(made.kept()).hasSize(number < 99 ? 8 : votes.size());
            carry = made.carry();
        }
    }

    @Test
    void halfOfTheVotesAreHeardWhoeverWasBarredBefore() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int m = 3 + random.nextInt(10);
            AdaptiveScreening rule = new AdaptiveScreening(0, 2, 0);
            Carry carry = Carry.NONE;
            for (int number = 0; number < 20; number++) {
                List<WorkerUpdate> votes = new ArrayList<>();
                for (int w = 0; w < m; w++) {
                    votes.add(new WorkerUpdate(w, new double[] {Math.exp(2 * random.nextGaussian())}));
                }
                Aggregate made = rule.aggregate(new Round(number, m, votes, new double[1], seed, carry, null));
                carry = made.carry();
                assertThat(2 * made.kept().length).isGreaterThanOrEqualTo(m);
            }
        });
    }

    @Test
    void theBarredStayOutWhereHalfOfTheVotesAreLeftAndAreHeardWhereFewerAre() {
        for (int loud = 2; loud <= 3; loud++) {
            AdaptiveScreening rule = new AdaptiveScreening(0, 3, 0);
            Carry carry = Carry.NONE;
            for (int number = 0; number < 2; number++) {
                List<WorkerUpdate> votes = new ArrayList<>();
                for (int w = 0; w < 4; w++) {
                    // One after the other, as no more than half of them can be far out at a time.
                    votes.add(new WorkerUpdate(w, new double[] {w < loud && w / 2 == number ? 100 : 1}));
                }
                carry = rule.aggregate(new Round(number, 4, votes, new double[1], Seed.of(1), carry, null))
                        .carry();
            }
            Aggregate made = rule.aggregate(new Round(2, 4, equal(4), new double[1], Seed.of(1), carry, null));
            assertThat(made.kept()).isEqualTo(loud == 2 ? new int[] {2, 3} : new int[] {0, 1, 2, 3});
        }
    }

    private static List<WorkerUpdate> equal(int workers) {
        return IntStream.range(0, workers)
                .mapToObj(w -> new WorkerUpdate(w, new double[] {1}))
                .toList();
    }

    @Test
    void whoIsAsFarOutAsAllowedIsNotBarred() {
        // Far out in one of two rounds: not more than one half of them.
        AdaptiveScreening rule = new AdaptiveScreening(0, 3, 0.5);
        List<WorkerUpdate> votes = new ArrayList<>(equal(5));
        votes.set(4, new WorkerUpdate(4, new double[] {3.01}));
        Aggregate first = rule.aggregate(new Round(0, 5, votes, new double[1], Seed.of(1), Carry.NONE, null));
        assertThat(first.kept()).containsExactly(0, 1, 2, 3);
        votes.set(4, new WorkerUpdate(4, new double[] {3}));
        assertThat(rule.aggregate(new Round(1, 5, votes, new double[1], Seed.of(1), first.carry(), null))
                        .kept())
                .containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void tellsWhoWasDropped() {
        Aggregate made = new AdaptiveScreening(0, 3, 0.01)
                .aggregate(Round.of(new double[] {7}, new double[] {1}, new double[] {-1}, new double[] {1.5}));
        assertThat(made.explanation()).isEqualTo("dropped 0 (norm 7.000); median norm 1.000");
    }

    @Test
    void refusesParametersThatMeanNothing() {
        for (double factor : new double[] {1, 0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new AdaptiveScreening(0, factor, 0)).isInstanceOf(InputException.class);
        }
        for (double memory : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> new AdaptiveScreening(0, 3, memory)).isInstanceOf(InputException.class);
        }
        assertThat(new AdaptiveScreening(0, 3, 1).memory()).isEqualTo(1);
    }
}
