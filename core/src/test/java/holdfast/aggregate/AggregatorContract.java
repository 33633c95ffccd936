package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Laws;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every rule promises; a rule's test extends this. */
public abstract class AggregatorContract {
    private static final int CASES = 200;

    /** The rule set up for this many arbitrary updates. */
    protected abstract Aggregator rule(int budget);

    /** A round's size: enough workers for any rule with this budget. */
    private record Size(int workers, int budget, int length) {
        static Size draw(Randomness random) {
            int budget = random.nextInt(4);
            return new Size(4 * budget + 3 + random.nextInt(6), budget, 1 + random.nextInt(20));
        }
    }

    private static List<Vote> votes(Randomness random, int workers, int length, double scale) {
        return new ArrayList<>(IntStream.range(0, workers)
                .mapToObj(w -> new Vote(w, Vectors.scaled(scale, random.gaussians(length))))
                .toList());
    }

    private static Round round(int workers, List<Vote> votes) {
        int length = votes.get(0).vector().length;
        return new Round(3, workers, votes, new double[length], Seed.of(9), Carry.NONE, null);
    }

    @Test
    void relabellingTheWorkersRelabelsTheKeptAndLeavesTheDirection() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = Size.draw(random);
            List<Vote> votes = votes(random, size.workers, size.length, 1);
            int[] newId = IntStream.range(0, size.workers).toArray();
            random.shuffle(newId);
            List<Vote> relabelled = votes.stream()
                    .map(v -> new Vote(newId[v.worker()], v.vector()))
                    .sorted(Comparator.comparingInt(Vote::worker))
                    .toList();
            Aggregate before = rule(size.budget).aggregate(round(size.workers, votes));
            Aggregate after = rule(size.budget).aggregate(round(size.workers, relabelled));
            assertThat(after.kept())
                    .isEqualTo(Arrays.stream(before.kept())
                            .map(w -> newId[w])
                            .sorted()
                            .toArray());
            assertThat(after.direction()).containsExactly(before.direction(), within(1e-12));
        });
    }

    @Test
    void inputsStayUntouchedAndTheSameRoundGivesTheSameBits() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = Size.draw(random);
            List<Vote> votes = votes(random, size.workers, size.length, 1);
            List<long[]> before = votes.stream().map(v -> Laws.bits(v.vector())).toList();
            Aggregator rule = rule(size.budget);
            Aggregate once = rule.aggregate(round(size.workers, votes));
            Aggregate twice = rule.aggregate(round(size.workers, votes));
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
    void theDirectionIsNoVotesOwnArray() {
        Vote only = new Vote(0, new double[] {1, 2});
        assertThat(rule(0).aggregate(round(1, List.of(only))).direction()).isNotSameAs(only.vector());
    }

    @Test
    void keptIdsAscendAndAreVoters() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = Size.draw(random);
            Aggregate made =
                    rule(size.budget).aggregate(round(size.workers, votes(random, size.workers, size.length, 1)));
            assertThat(made.kept()).isSorted().doesNotHaveDuplicates().isNotEmpty();
            assertThat(Arrays.stream(made.kept())).allMatch(w -> w >= 0 && w < size.workers);
        });
    }

    @Test
    void finiteUpdatesOfAnySizeGiveAFiniteDirection() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = Size.draw(random);
            double[] scales = {0, 1e-310, Double.MIN_VALUE, 1e-200, 1, 1e200, 1e308, Double.MAX_VALUE};
            List<Vote> votes = new ArrayList<>();
            for (int w = 0; w < size.workers; w++) {
                double[] v = new double[size.length];
                for (int i = 0; i < v.length; i++) {
                    v[i] = scales[random.nextInt(scales.length)] * (2 * random.nextInt(2) - 1);
                }
                votes.add(new Vote(w, v));
            }
            assertThat(Vectors.finite(rule(size.budget)
                            .aggregate(round(size.workers, votes))
                            .direction()))
                    .isTrue();
        });
    }

    @Test
    void equalUpdatesOfAnySizeGiveThatUpdate() {
        for (double value : new double[] {0, 1e-310, -1e-200, 2.5, -1e200, 1e308, Double.MAX_VALUE}) {
            for (int length : new int[] {1, 5}) {
                double[] same = new double[length];
                Arrays.fill(same, value);
                List<Vote> votes =
                        IntStream.range(0, 11).mapToObj(w -> new Vote(w, same)).toList();
                assertThat(rule(2).aggregate(round(11, votes)).direction())
                        .containsExactly(same, within(Math.abs(value) * 1e-12));
            }
        }
    }

    @Test
    void missingUpdatesWithinTheBudgetAreBorne() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = Size.draw(random);
            List<Vote> votes = votes(random, size.workers, size.length, 1);
            Collections.rotate(votes, random.nextInt(size.workers));
            List<Vote> arrived = votes.subList(random.nextInt(size.budget + 1), size.workers).stream()
                    .sorted(Comparator.comparingInt(Vote::worker))
                    .toList();
            Aggregate made = rule(size.budget).aggregate(round(size.workers, arrived));
            assertThat(Vectors.norm(made.direction())).isLessThanOrEqualTo(longest(arrived) * (1 + 1e-12));
            assertThat(arrived.stream().mapToInt(Vote::worker).toArray()).contains(made.kept());
        });
    }

    @Test
    void liarsWithinTheBudgetCannotMakeTheDirectionLongerThanTheHonest() {
        Laws.check(CASES, seed -> {
            Randomness random = seed.random();
            Size size = Size.draw(random);
            List<Vote> votes = votes(random, size.workers, size.length, 1);
            Aggregator rule = rule(size.budget);
            int[] liars = random.choose(rule.budget(), size.workers);
            List<Vote> honest = votes.stream()
                    .filter(v -> Arrays.binarySearch(liars, v.worker()) < 0)
                    .toList();
            for (int liar : liars) {
                double scale = Math.pow(10, random.nextInt(610) - 305);
                votes.set(liar, new Vote(liar, Vectors.scaled(scale, random.gaussians(size.length))));
            }
            Aggregate made = rule.aggregate(round(size.workers, votes));
            assertThat(Vectors.norm(made.direction())).isLessThanOrEqualTo(longest(honest) * (1 + 1e-12));
        });
    }

    private static double longest(List<Vote> votes) {
        return votes.stream().mapToDouble(v -> Vectors.norm(v.vector())).max().orElseThrow();
    }
}
