package holdfast.certificate;

import holdfast.Check;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The votes of K groups for the class of one row. The class with most votes wins, of several the one that comes first in
 * the fixed list of classes.
 *
 * <p>k lying sources are in at most k groups, and each such group can take its vote from the winner a and give it to a rival
 * b. So a stays if, for every b, n_a - k still beats n_b + k: k &lt;= (n_a - n_b - [b &lt; a]) / 2. That is exact: with one
 * more liar the vote can be turned (Levine and Feizi 2021).
 *
 * <p>The number is capped so that groups without a vote of their own and liars are together fewer than half: a vote that is
 * decided by fixed votes says nothing about the row.
 *
 * @param counts the votes for each class
 * @param unusable how many of the votes are fixed ones, of groups that could not learn or cannot read the row
 */
public record ClassVotes(int[] counts, int unusable) {
    public ClassVotes {
        Check.that(counts.length >= 2, "votes must be for two classes or more, got %d", counts.length);
        int groups = Arrays.stream(counts).sum();
        Check.that(
                groups >= 1 && Arrays.stream(counts).allMatch(n -> n >= 0),
                "votes must be counts, of one group or more");
        Check.that(unusable >= 0 && unusable <= groups, "unusable groups must be some of %d, got %d", groups, unusable);
        counts = counts.clone();
    }

    /** Counts the votes of groups. */
    static ClassVotes of(int classes, int[] votes, int unusable) {
        int[] counts = new int[classes];
        for (int vote : votes) {
            counts[vote]++;
        }
        return new ClassVotes(counts, unusable);
    }

    /** Returns a copy. */
    @Override
    public int[] counts() {
        return counts.clone();
    }

    /** Returns K. */
    public int groups() {
        return Arrays.stream(counts).sum();
    }

    /** Returns the class that wins. */
    public int label() {
        return IntStream.range(0, counts.length)
                .reduce((best, c) -> counts[c] > counts[best] ? c : best)
                .orElseThrow();
    }

    /** Returns the votes for the class that wins. */
    public int support() {
        return counts[label()];
    }

    /**
     * Returns how many sources may lie, anything and together, without changing {@link #label}. 0 promises nothing: one
     * source might change it, or half of the groups have no vote of their own.
     */
    public int certified() {
        int a = label();
        int least = IntStream.range(0, counts.length)
                .filter(b -> b != a)
                .map(b -> Math.floorDiv(counts[a] - counts[b] - (b < a ? 1 : 0), 2))
                .min()
                .orElseThrow();
        return Math.max(0, Math.min(least, cap(groups(), unusable)));
    }

    /** Returns the largest k with unusable + k &lt; K/2; negative if there is none. */
    static int cap(int groups, int unusable) {
        return (groups + 1) / 2 - 1 - unusable;
    }
}
