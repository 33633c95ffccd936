package holdfast.certificate;

import holdfast.Check;
import java.util.Arrays;

/**
 * The votes of K groups for the number of one row. The lower median counts: the h-th smallest vote, h = (K + 1) div 2.
 *
 * <p>k lying sources are in at most k groups and move at most k votes, so the median stays within [v_(h-k), v_(h+k)], v the
 * sorted votes; beyond the first and the last it is infinite. That is exact: k liars can reach both ends.
 *
 * <p>A group without a vote of its own votes for minus or plus infinity, so it widens the interval like a liar.
 *
 * @param votes in any order; none is NaN
 */
public record NumberVotes(double[] votes) {
    public NumberVotes {
        Check.that(
                votes.length >= 1 && Arrays.stream(votes).noneMatch(Double::isNaN),
                "votes must be numbers, of one group or more");
        votes = votes.clone();
        Arrays.sort(votes);
    }

    /** Returns a copy, ascending. */
    @Override
    public double[] votes() {
        return votes.clone();
    }

    /** Returns the prediction. */
    public double median() {
        return lowest(0);
    }

    /** Returns the least number that k lying sources can make the median. */
    public double lowest(int liars) {
        return at(-liars);
    }

    /** Returns the largest number that k lying sources can make the median. */
    public double highest(int liars) {
        return at(liars);
    }

    private double at(int beside) {
        int place = (votes.length + 1) / 2 - 1 + beside;
        return place < 0 ? Double.NEGATIVE_INFINITY : place >= votes.length ? Double.POSITIVE_INFINITY : votes[place];
    }
}
