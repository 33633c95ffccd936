package holdfast.certificate;

import holdfast.Check;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How well votes predict labelled rows, and how many of these stand k lying sources.
 *
 * @param rows how many rows were tested
 * @param error the share of rows of another class; for numbers the mean absolute error
 * @param certified for k = 0, 1, ...: the share of rows whose class is right and stands k lying sources; empty for numbers
 * @param widths for k = 0, 1, ...: the median width of the intervals that k lying sources leave; empty for classes
 */
public record VoteEvaluation(int rows, double error, double[] certified, double[] widths) {
    /**
     * Evaluates votes.
     *
     * @param labels of the rows
     */
    public static VoteEvaluation of(VotedRows voted, double[] labels) {
        int rows = voted.rows();
        Check.that(
                rows > 0 && labels.length == rows,
                "there must be a label for each of %d rows, got %d",
                rows,
                labels.length);
        int groups = voted.model().groups().size();
        int kinds = ClassVotes.cap(groups, 0) + 1;
        if (voted.model().predictsNumbers()) {
            double[] errors = new double[rows];
            Arrays.setAll(errors, r -> Math.abs(voted.numbers(r).median() - labels[r]));
            return new VoteEvaluation(
                    rows,
                    Arrays.stream(errors).average().orElseThrow(),
                    new double[0],
                    IntStream.range(0, kinds).mapToDouble(k -> width(voted, k)).toArray());
        }
        long right = 0;
        long[] stand = new long[kinds];
        for (int r = 0; r < rows; r++) {
            if (voted.classes(r).label() == labels[r]) {
                right++;
                int certified = voted.certified(r);
                for (int k = 0; k <= certified; k++) {
                    stand[k]++;
                }
            }
        }
        return new VoteEvaluation(
                rows,
                1 - (double) right / rows,
                Arrays.stream(stand).mapToDouble(count -> (double) count / rows).toArray(),
                new double[0]);
    }

    private static double width(VotedRows voted, int liars) {
        double[] widths = new double[voted.rows()];
        Arrays.setAll(widths, r -> {
            NumberVotes votes = voted.numbers(r);
            double low = votes.lowest(liars);
            return low == votes.highest(liars) ? 0 : votes.highest(liars) - low;
        });
        Arrays.sort(widths);
        return widths[(widths.length - 1) / 2];
    }

    /** Returns a copy. */
    @Override
    public double[] certified() {
        return certified.clone();
    }

    /** Returns a copy. */
    @Override
    public double[] widths() {
        return widths.clone();
    }
}
