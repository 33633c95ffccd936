package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class VotesTest {
    /** Calls for every way in which the groups of a set vote while the others stay. */
    private static void everyVote(int[] votes, int liars, int classes, int g, Consumer<int[]> each) {
        if (g == votes.length) {
            each.accept(votes);
            return;
        }
        if ((liars >> g & 1) == 0) {
            everyVote(votes, liars, classes, g + 1, each);
            return;
        }
        int own = votes[g];
        for (int c = 0; c < classes; c++) {
            votes[g] = c;
            everyVote(votes, liars, classes, g + 1, each);
        }
        votes[g] = own;
    }

    /** Returns the largest k such that no k groups can change the label, by trying everything; K if none can. */
    private static int exhaustive(int[] votes, int classes) {
        int label = ClassVotes.of(classes, votes, 0).label();
        int[] fewest = {votes.length + 1};
        for (int set = 0; set < 1 << votes.length; set++) {
            int liars = Integer.bitCount(set);
            if (liars < fewest[0]) {
                everyVote(votes, set, classes, 0, changed -> {
                    if (ClassVotes.of(classes, changed, 0).label() != label) {
                        fewest[0] = Math.min(fewest[0], liars);
                    }
                });
            }
        }
        return fewest[0] - 1;
    }

    @Test
    void certifiedNumbersOfLiarsAreExact() {
        for (int classes = 2; classes <= 4; classes++) {
            for (int groups = 1; groups <= (classes == 2 ? 7 : 5); groups++) {
                int all = (int) Math.pow(classes, groups);
                for (int code = 0; code < all; code++) {
                    int[] votes = new int[groups];
                    for (int g = 0, rest = code; g < groups; g++, rest /= classes) {
                        votes[g] = rest % classes;
                    }
                    int exact = exhaustive(votes, classes);
                    assertThat(ClassVotes.of(classes, votes, 0).certified())
                            .as("%s of %d classes", Arrays.toString(votes), classes)
                            .isEqualTo(Math.min(exact, ClassVotes.cap(groups, 0)));
                }
            }
        }
    }

    @Test
    void theCapCountsGroupsWithoutAVoteAndLiarsTogether() {
        assertThat(new ClassVotes(new int[] {9, 0}, 0).certified()).isEqualTo(4);
        assertThat(new ClassVotes(new int[] {9, 0}, 1).certified()).isEqualTo(3);
        assertThat(new ClassVotes(new int[] {9, 0}, 4).certified()).isZero();
        assertThat(new ClassVotes(new int[] {9, 0}, 9).certified()).isZero();
        assertThat(new ClassVotes(new int[] {10, 0}, 0).certified()).isEqualTo(4);
        assertThat(new ClassVotes(new int[] {10, 0}, 4).certified()).isZero();
        assertThat(new ClassVotes(new int[] {3, 7}, 0).certified()).isEqualTo(1);
        assertThat(new ClassVotes(new int[] {7, 3}, 0).certified()).isEqualTo(2);
        assertThat(new ClassVotes(new int[] {5, 5}, 0).label()).isZero();
        assertThat(new ClassVotes(new int[] {1, 4, 4}, 0).support()).isEqualTo(4);
    }

    @Test
    void mediansStayInTheirIntervalsAndReachTheEnds() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int groups = 1 + random.nextInt(6);
            double[] votes = new double[groups];
            Arrays.setAll(votes, g -> random.nextInt(6));
            NumberVotes honest = new NumberVotes(votes);
            for (int k = 0; k <= groups; k++) {
                double low = Double.POSITIVE_INFINITY;
                double high = Double.NEGATIVE_INFINITY;
                for (int set = 0; set < 1 << groups; set++) {
                    if (Integer.bitCount(set) == k) {
                        for (double lie : new double[] {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY}) {
                            double[] changed = votes.clone();
                            for (int g = 0; g < groups; g++) {
                                changed[g] = (set >> g & 1) == 1 ? lie : votes[g];
                            }
                            double median = new NumberVotes(changed).median();
                            low = Math.min(low, median);
                            high = Math.max(high, median);
                        }
                        double[] random2 = votes.clone();
                        for (int g = 0; g < groups; g++) {
                            random2[g] = (set >> g & 1) == 1 ? random.nextInt(9) - 2 : votes[g];
                        }
                        assertThat(new NumberVotes(random2).median()).isBetween(honest.lowest(k), honest.highest(k));
                    }
                }
                assertThat(honest.lowest(k)).isEqualTo(low);
                assertThat(honest.highest(k)).isEqualTo(high);
            }
        });
    }

    @Test
    void theLowerMedianCounts() {
        assertThat(new NumberVotes(new double[] {4, 1, 3, 2}).median()).isEqualTo(2);
        assertThat(new NumberVotes(new double[] {4, 1, 3, 2}).lowest(1)).isEqualTo(1);
        assertThat(new NumberVotes(new double[] {4, 1, 3, 2}).highest(1)).isEqualTo(3);
        assertThat(new NumberVotes(new double[] {4, 1, 3, 2}).lowest(2)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(new NumberVotes(new double[] {4, 1, 3, 2}).highest(2)).isEqualTo(4);
        assertThat(new NumberVotes(new double[] {5, 1, 3}).median()).isEqualTo(3);
    }

    /** Tries every choice of a reachable class by each group, and of any class by any k of them. */
    @Test
    void reachableVotesAreSoundAndExactWhereGroupsChooseFreely() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int groups = 2 + random.nextInt(3);
            int classes = 2 + random.nextInt(2);
            int[] votes = new int[groups];
            boolean[][] reach = new boolean[groups][classes];
            for (int g = 0; g < groups; g++) {
                votes[g] = random.nextInt(4) == 0 ? random.nextInt(classes) : 0;
                for (int c = 0; c < classes; c++) {
                    reach[g][c] = c == votes[g] || random.nextInt(6) == 0;
                }
            }
            ClassVotes here = ClassVotes.of(classes, votes, 0);
            int certified = new ReachableVotes(here, reach).certified();
            int[] fewest = {groups + 1};
            for (int set = 0; set < 1 << groups; set++) {
                int liars = set;
                everyVote(votes.clone(), (1 << groups) - 1, classes, 0, changed -> {
                    for (int g = 0; g < groups; g++) {
                        if ((liars >> g & 1) == 0 && !reach[g][changed[g]]) {
                            return;
                        }
                    }
                    if (ClassVotes.of(classes, changed, 0).label() != here.label()) {
                        fewest[0] = Math.min(fewest[0], Integer.bitCount(liars));
                    }
                });
            }
            int exact = Math.min(fewest[0] - 1, ClassVotes.cap(groups, 0));
            assertThat(certified).isLessThanOrEqualTo(exact);
            if (classes == 2) {
                assertThat(certified).isEqualTo(exact);
            }
        });
    }

    @Test
    void badVotesAreRefused() {
        assertThatThrownBy(() -> new NumberVotes(new double[] {1, Double.NaN})).hasMessageContaining("numbers");
        assertThatThrownBy(() -> new ClassVotes(new int[] {3}, 0)).hasMessageContaining("two classes or more, got 1");
        assertThatThrownBy(() -> new ClassVotes(new int[] {3, -1}, 0)).hasMessageContaining("counts");
        assertThatThrownBy(() -> new ClassVotes(new int[] {2, 1}, 4)).hasMessageContaining("some of 3, got 4");
        assertThatThrownBy(() -> new ReachableVotes(new ClassVotes(new int[] {1, 0}, 0), new boolean[1][2]))
                .hasMessageContaining("must reach one of 2 classes");
    }
}
