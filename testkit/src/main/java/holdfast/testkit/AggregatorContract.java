package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.theory.Robustness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The laws of every rule: the order of the workers does not matter, inputs stay untouched, the same round gives the
 * same bits on any number of threads, finite updates give a finite direction, liars within the budget cannot make it
 * long, and no search finds updates with which they move it farther than the rule's {@link Aggregator#robustness} says.
 *
 * <p>To test a rule, extend this class and implement {@link #rule} and {@link #translates}. If the rule can make a
 * direction that is longer than every honest update, override {@link #growth} with the factor that you can prove. The
 * rule must call {@link Aggregator#lies} first, which refuses rounds with too few workers or too many missing updates.
 */
public abstract class AggregatorContract {
    private static final int CASES = 200;

    /**
     * Returns the rule to test, set up for a number of arbitrary updates.
     *
     * @param budget what {@link Aggregator#tolerated} must return, from 0 to 3
     * @param random draws the rule's other parameters, from all their legal values
     */
    protected abstract Aggregator rule(int budget, Randomness random);

    /** Returns the bound on the direction's length under liars, as a multiple of the longest honest update. */
    protected double growth(int workers, int length) {
        return 1;
    }

    /** Whether equal updates give that update, as with all rules that average or select. */
    protected boolean faithful() {
        return true;
    }

    /** Whether moving all updates by one vector moves the direction by it. */
    protected abstract boolean translates();

    /** Whether updates of twice the size give twice the direction; false if a parameter of the rule is a length. */
    protected boolean scales() {
        return true;
    }

    /** Returns how many of the tolerated liars may send vectors of any size; a lower limit needs a test of its own. */
    protected int boundedLiars(int budget) {
        return budget;
    }

    /** Returns the worker whose update the rule trusts, -1 if there is none. */
    protected int pivot() {
        return -1;
    }

    /** Returns the rule for workers with new ids; only a rule that names a worker changes. */
    protected Aggregator relabelled(Aggregator rule, int[] newId) {
        return rule;
    }

    /** Whether the ids of workers do not matter; false for a rule that draws by id. */
    protected boolean anonymous() {
        return true;
    }

    /** Returns the server's own gradient of this length, null if the rule needs none. */
    protected double[] trusted(int length) {
        return null;
    }

    /** A round's size and the rule for it. */
    private record Size(int workers, int length, Aggregator rule) {
        int tolerated() {
            return rule.tolerated();
        }
    }

    private Size draw(Randomness random) {
        Aggregator rule = rule(random.nextInt(4), random);
        return new Size(rule.minWorkers() + random.nextInt(6), 1 + random.nextInt(20), rule);
    }

    private static List<WorkerUpdate> votes(Randomness random, int workers, int length, double scale) {
        return new ArrayList<>(IntStream.range(0, workers)
                .mapToObj(w -> new WorkerUpdate(w, Vectors.scaled(scale, random.gaussians(length))))
                .toList());
    }

    private Round round(int workers, List<WorkerUpdate> votes) {
        return round(workers, votes, Carry.NONE);
    }

    private Round round(int workers, List<WorkerUpdate> votes, Carry carry) {
        int length = votes.get(0).vector().length;
        return new Round(3, workers, votes, new double[length], Seed.of(9), carry, trusted(length));
    }

    @Test
    protected void relabellingTheWorkersRelabelsTheKeptAndLeavesTheDirection() {
        if (!anonymous()) {
            return;
        }
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = votes(random, size.workers, size.length, 1);
            int[] newId = IntStream.range(0, size.workers).toArray();
            random.shuffle(newId);
            List<WorkerUpdate> relabelled = votes.stream()
                    .map(v -> new WorkerUpdate(newId[v.worker()], v.vector()))
                    .sorted(Comparator.comparingInt(WorkerUpdate::worker))
                    .toList();
            Aggregate before = size.rule.aggregate(round(size.workers, votes));
            Aggregate after = relabelled(size.rule, newId).aggregate(round(size.workers, relabelled));
            assertThat(after.kept())
                    .isEqualTo(Arrays.stream(before.kept())
                            .map(w -> newId[w])
                            .sorted()
                            .toArray());
            assertThat(after.direction()).containsExactly(before.direction(), within(1e-12));
        });
    }

    @Test
    protected void inputsStayUntouchedAndTheSameRoundGivesTheSameBits() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = votes(random, size.workers, size.length, 1);
            List<long[]> before = votes.stream().map(v -> Laws.bits(v.vector())).toList();
            Aggregate once = size.rule.aggregate(round(size.workers, votes));
            Aggregate twice = size.rule.aggregate(round(size.workers, votes));
            assertThat(Laws.bits(twice.direction())).isEqualTo(Laws.bits(once.direction()));
            assertThat(twice.kept()).isEqualTo(once.kept());
            assertThat(Laws.bits(twice.carry().values()))
                    .isEqualTo(Laws.bits(once.carry().values()));
            assertThat(twice.explanation()).isEqualTo(once.explanation()).isNotBlank();
            for (int i = 0; i < votes.size(); i++) {
                assertThat(Laws.bits(votes.get(i).vector())).isEqualTo(before.get(i));
            }
        });
    }

    @Test
    protected void theNumberOfThreadsChangesNoBit() {
        try (Threads two = Threads.of(2);
                Threads three = Threads.of(3)) {
            Laws.check(3, seed -> {
                Randomness random = seed.random();
                Size size = draw(random);
                // Long enough to be cut into pieces, the last of them short.
                Round round = round(size.workers, votes(random, size.workers, 2049 + random.nextInt(1000), 1));
                Aggregate alone = size.rule.aggregate(round);
                for (Threads threads : List.of(two, three)) {
                    Aggregate together = size.rule.aggregate(round.on(threads));
                    assertThat(Laws.bits(together.direction())).isEqualTo(Laws.bits(alone.direction()));
                    assertThat(together.kept()).isEqualTo(alone.kept());
                    assertThat(Laws.bits(together.carry().values()))
                            .isEqualTo(Laws.bits(alone.carry().values()));
                    assertThat(together.explanation()).isEqualTo(alone.explanation());
                }
            });
        }
    }

    @Test
    protected void whatIsCarriedStaysUntouchedSoThatARoundCanBeTriedAgain() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            Aggregate first = size.rule.aggregate(round(size.workers, votes(random, size.workers, size.length, 1)));
            Carry carry = first.carry();
            long[] before = Laws.bits(carry.values());
            first.direction()[0]++;
            Round next = round(size.workers, votes(random, size.workers, size.length, 1), carry);
            long[] once = Laws.bits(size.rule.aggregate(next).direction());
            assertThat(Laws.bits(size.rule.aggregate(next).direction())).isEqualTo(once);
            assertThat(Laws.bits(carry.values())).isEqualTo(before);
        });
    }

    @Test
    protected void theDirectionIsNoVotesOwnArray() {
        Laws.check(20, seed -> {
            Size size = draw(seed.random());
            double[] same = {1, 2};
            List<WorkerUpdate> votes = IntStream.range(0, size.workers)
                    .mapToObj(w -> new WorkerUpdate(w, same))
                    .toList();
            assertThat(size.rule.aggregate(round(size.workers, votes)).direction())
                    .isNotSameAs(same);
        });
    }

    @Test
    protected void keptIdsAscendAndAreVoters() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            Aggregate made = size.rule.aggregate(round(size.workers, votes(random, size.workers, size.length, 1)));
            assertThat(made.kept()).isSorted().doesNotHaveDuplicates().isNotEmpty();
            assertThat(Arrays.stream(made.kept())).allMatch(w -> w >= 0 && w < size.workers);
        });
    }

    @Test
    protected void finiteUpdatesOfAnySizeGiveAFiniteDirection() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            double[] scales = {0, 1e-310, Double.MIN_VALUE, 1e-200, 1, 1e200, 1e308, Double.MAX_VALUE};
            List<WorkerUpdate> votes = new ArrayList<>();
            for (int w = 0; w < size.workers; w++) {
                double[] v = new double[size.length];
                for (int i = 0; i < v.length; i++) {
                    v[i] = scales[random.nextInt(scales.length)] * (2 * random.nextInt(2) - 1);
                }
                votes.add(new WorkerUpdate(w, v));
            }
            assertThat(Vectors.finite(
                            size.rule.aggregate(round(size.workers, votes)).direction()))
                    .isTrue();
        });
    }

    @Test
    protected void equalUpdatesOfAnySizeGiveThatUpdate() {
        if (!faithful()) {
            return;
        }
        for (double value : new double[] {0, 1e-310, -1e-200, 2.5, -1e200, 1e308, Double.MAX_VALUE}) {
            Laws.check(20, seed -> {
                Size size = draw(seed.random());
                double[] same = new double[size.length];
                Arrays.fill(same, value);
                List<WorkerUpdate> votes = IntStream.range(0, size.workers)
                        .mapToObj(w -> new WorkerUpdate(w, same))
                        .toList();
                assertThat(size.rule.aggregate(round(size.workers, votes)).direction())
                        .containsExactly(same, within(Math.abs(value) * 1e-12));
            });
        }
    }

    @Test
    protected void translationOfAllUpdatesTranslatesTheDirection() {
        if (!translates()) {
            return;
        }
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = votes(random, size.workers, size.length, 1);
            double[] by = Vectors.scaled(3, random.gaussians(size.length));
            List<WorkerUpdate> moved = votes.stream()
                    .map(v ->
                            new WorkerUpdate(v.worker(), Vectors.add(v.vector().clone(), by)))
                    .toList();
            double[] expected =
                    Vectors.add(size.rule.aggregate(round(size.workers, votes)).direction(), by);
            assertThat(size.rule.aggregate(round(size.workers, moved)).direction())
                    .containsExactly(expected, within(1e-9));
        });
    }

    @Test
    protected void updatesOfAnotherSizeGiveTheSameDirectionInThatSize() {
        if (!scales()) {
            return;
        }
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = votes(random, size.workers, size.length, 1);
            double[] direction = size.rule.aggregate(round(size.workers, votes)).direction();
            // Powers of two, so that only overflow and underflow make a difference; with the last one, 20 bits are
            // left.
            for (int exponent : new int[] {1015, 700, -700, -960, -1054}) {
                double[] scaled = size.rule
                        .aggregate(round(size.workers, scaled(votes, exponent)))
                        .direction();
                for (int k = 0; k < direction.length; k++) {
                    assertThat(Math.scalb(scaled[k], -exponent))
                            .as("2^%d", exponent)
                            .isCloseTo(direction[k], within(exponent < -1000 ? 1e-4 : 1e-12));
                }
            }
        });
    }

    private static List<WorkerUpdate> scaled(List<WorkerUpdate> votes, int exponent) {
        return votes.stream()
                .map(v -> new WorkerUpdate(
                        v.worker(),
                        Arrays.stream(v.vector())
                                .map(x -> Math.scalb(x, exponent))
                                .toArray()))
                .toList();
    }

    @Test
    protected void tiesAndZeroVectorsAreBorne() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = IntStream.range(0, size.workers)
                    .mapToObj(w -> new WorkerUpdate(
                            w,
                            IntStream.range(0, size.length)
                                    .mapToDouble(i -> random.nextInt(3) - 1)
                                    .toArray()))
                    .toList();
            Aggregate made = size.rule.aggregate(round(size.workers, votes));
            assertThat(Vectors.norm(made.direction()))
                    .isLessThanOrEqualTo(longest(votes) * growth(size.workers, size.length) * (1 + 1e-12));
        });
    }

    @Test
    protected void tooFewWorkersForTheBudgetAreRefused() {
        Aggregator rule = rule(3, Seed.of(1).random());
        int few = rule.minWorkers() - 1;
        if (few > 0) {
            assertThatThrownBy(() -> rule.aggregate(round(few, votes(Seed.of(1).random(), few, 3, 1))))
                    .isInstanceOf(InputException.class)
                    .hasMessage("tolerated = 3 needs at least " + (few + 1) + " workers, got " + few);
        }
    }

    @Test
    protected void moreMissingUpdatesThanTheBudgetAreRefused() {
        Aggregator rule = rule(1, Seed.of(1).random());
        int workers = rule.minWorkers() + 5;
        int missing = rule.tolerated() + 1;
        assertThatThrownBy(() -> rule.aggregate(round(workers, votes(Seed.of(1).random(), workers - missing, 3, 1))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("updates may be missing, but " + missing + " are");
    }

    @Test
    protected void missingUpdatesWithinTheBudgetAreBorne() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = votes(random, size.workers, size.length, 1);
            int[] missing = others(random, random.nextInt(size.tolerated() + 1), size.workers);
            List<WorkerUpdate> arrived = without(votes, missing);
            Aggregate made = size.rule.aggregate(round(size.workers, arrived));
            assertThat(Vectors.norm(made.direction()))
                    .isLessThanOrEqualTo(longest(arrived) * growth(size.workers, size.length) * (1 + 1e-12));
            assertThat(arrived.stream().mapToInt(WorkerUpdate::worker).toArray())
                    .contains(made.kept());
        });
    }

    @Test
    protected void liarsOfAnySizeWithinTheBudgetCannotMakeTheDirectionMuchLongerThanTheHonest() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = draw(random);
            List<WorkerUpdate> votes = votes(random, size.workers, size.length, 1);
            int[] liars = others(random, boundedLiars(size.tolerated()), size.workers);
            List<WorkerUpdate> honest = without(votes, liars);
            for (int liar : liars) {
                double scale = Math.pow(10, random.nextInt(610) - 305);
                votes.set(liar, new WorkerUpdate(liar, Vectors.scaled(scale, random.gaussians(size.length))));
            }
            Aggregate made = size.rule.aggregate(round(size.workers, votes));
            assertThat(Vectors.norm(made.direction()))
                    .isLessThanOrEqualTo(longest(honest) * growth(size.workers, size.length) * (1 + 1e-12));
        });
    }

    @Test
    protected void noSearchMovesTheDirectionFartherThanTheRuleSays() {
        Laws.check(4, seed -> {
            Randomness random = seed.random();
            Aggregator rule = rule(random.nextInt(3), random);
            int workers = rule.minWorkers() + random.nextInt(3);
            Robustness claimed = rule.robustness(workers);
            if (claimed.kappa().isPresent() || claimed.errorBound().isPresent()) {
                assertThat(new BoundSearch(rule, claimed, workers, pivot()).largestRatio(seed, 10, 150))
                        .as("%s with %d workers: %s", rule, workers, claimed.formula())
                        .isLessThanOrEqualTo(1);
            }
        });
    }

    /** Chooses this many workers at random, but never the pivot. */
    private int[] others(Randomness random, int count, int workers) {
        int pivot = pivot();
        return Arrays.stream(random.choose(count, pivot < 0 ? workers : workers - 1))
                .map(w -> pivot >= 0 && w >= pivot ? w + 1 : w)
                .toArray();
    }

    private static List<WorkerUpdate> without(List<WorkerUpdate> votes, int[] workers) {
        return votes.stream()
                .filter(v -> Arrays.binarySearch(workers, v.worker()) < 0)
                .toList();
    }

    private static double longest(List<WorkerUpdate> votes) {
        return votes.stream().mapToDouble(v -> Vectors.norm(v.vector())).max().orElseThrow();
    }
}
