package holdfast.certificate;

import holdfast.Check;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The votes of K groups for one row that may itself move. For each group it is known which classes the group can be made to
 * vote for when the row moves within a {@link RowMove}.
 *
 * <p>Let a be the class that wins where the row is. Wherever it moves, a keeps the votes of the groups that reach a alone,
 * and a rival b has at most the votes of the groups that reach b. k lying sources turn at most k votes, so a stays if, for
 * every b, k &lt;= (n_a^alone - n_b^reach - [b &lt; a]) / 2. This is sound, and nearly always exact: the groups need not be
 * able to reach b at the same place.
 *
 * @param votes where the row is
 * @param reach for each group and class, whether the group can be made to vote for it
 */
public record ReachableVotes(ClassVotes votes, boolean[][] reach) {
    public ReachableVotes {
        int classes = votes.counts().length;
        Check.that(
                reach.length == votes.groups()
                        && Arrays.stream(reach).allMatch(own -> own.length == classes && any(own)),
                "each of %d groups must reach one of %d classes or more",
                votes.groups(),
                classes);
        reach = Arrays.stream(reach).map(boolean[]::clone).toArray(boolean[][]::new);
    }

    private static boolean any(boolean[] own) {
        return IntStream.range(0, own.length).anyMatch(c -> own[c]);
    }

    /** Returns a copy. */
    @Override
    public boolean[][] reach() {
        return Arrays.stream(reach).map(boolean[]::clone).toArray(boolean[][]::new);
    }

    /**
     * Returns how many sources may lie without changing the label, wherever the row moves; -1 if a move alone might change
     * it.
     */
    public int certified() {
        int a = votes.label();
        int alone = (int) Arrays.stream(reach)
                .filter(own -> IntStream.range(0, own.length).allMatch(c -> own[c] == (c == a)))
                .count();
        int least = IntStream.range(0, votes.counts().length)
                .filter(b -> b != a)
                .map(b -> Math.floorDiv(alone - reaching(b) - (b < a ? 1 : 0), 2))
                .min()
                .orElseThrow();
        return least < 0 ? -1 : Math.max(0, Math.min(least, ClassVotes.cap(reach.length, votes.unusable())));
    }

    private int reaching(int c) {
        return (int) Arrays.stream(reach).filter(own -> own[c]).count();
    }
}
