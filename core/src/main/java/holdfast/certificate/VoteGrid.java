package holdfast.certificate;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How many predictions of votes are right and stay so, for several budgets q: a row counts for k and q if its class is right and no k
 * lying sources and no move of the row within q, both at once, change it.
 *
 * @param budgets q, each with its evaluation
 * @param evaluations for each q
 */
public record VoteGrid(List<Double> budgets, List<VoteEvaluation> evaluations) {
    public VoteGrid {
        budgets = List.copyOf(budgets);
        evaluations = List.copyOf(evaluations);
        Check.that(
                !budgets.isEmpty() && budgets.size() == evaluations.size(),
                "there must be one evaluation for each of one budget or more, got %d for %d",
                evaluations.size(),
                budgets.size());
    }

    /**
     * Evaluates votes.
     *
     * @param labels of the rows
     * @param move how rows move, with any budget; without it, none of the budgets may be above 0
     * @param budgets how far rows may move
     */
    public static VoteGrid of(VotedRows voted, double[] labels, Optional<RowMove> move, double... budgets) {
        for (double q : budgets) {
            Check.that(q == 0 || move.isPresent(), "rows that move by %s need a move with units", q);
        }
        return new VoteGrid(
                Arrays.stream(budgets).boxed().toList(),
                Arrays.stream(budgets)
                        .mapToObj(q -> VoteEvaluation.of(
                                voted.within(q == 0 ? Optional.empty() : move.map(given -> given.within(q))), labels))
                        .toList());
    }

    /** Returns the largest k that votes of so many groups can stand: liars must be fewer than half. */
    public static int largestLiars(int groups) {
        return ClassVotes.cap(groups, 0);
    }

    /** Returns the share of rows that are right and certified against k liars and a move within the budget with this index. */
    public double share(int liars, int budget) {
        return evaluations.get(budget).certified()[liars];
    }
}
