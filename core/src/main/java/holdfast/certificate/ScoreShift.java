package holdfast.certificate;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import java.util.Arrays;
import java.util.Optional;

/**
 * The smallest shift of some rows that gives a model with one linear score u = w.x + b the scores of other rows:
 *
 * <pre>
 * rho = W2(u, v)^2 / (2 ||w||^2),
 * </pre>
 *
 * u the scores of the former and v those of the latter. No coupling is cheaper, because |u - v| &lt;= ||w|| ||z - x||. And moving each
 * row along w by what its score must change, in the order of the scores, costs this much. So the new rows are no shift of the old
 * ones of a smaller size; and if each new row has the label of the old row of the same rank of score, their mean loss is at most
 * {@link ShiftCurve} at rho, because a loss depends on score and label alone.
 */
public final class ScoreShift {
    private ScoreShift() {}

    /**
     * Returns rho; empty for a model without one linear score, or whose score does not depend on rows.
     *
     * @param before unscaled rows
     * @param after unscaled rows
     */
    public static Optional<Double> cost(TrainedModel model, Dataset before, Dataset after) {
        if (!(model.model() instanceof LinearModel linear)) {
            return Optional.empty();
        }
        double[] w = linear.weights(model.theta(), before.columns(), 0);
        double squared = Vectors.dot(w, w, w.length);
        return squared > 0
                ? Optional.of(squaredDistance(model.scores(before), model.scores(after)) / (2 * squared))
                : Optional.empty();
    }

    /** Returns W2^2 of two sets of numbers: the mean squared difference of their quantiles. */
    static double squaredDistance(double[] a, double[] b) {
        Check.that(a.length > 0 && b.length > 0, "there must be rows");
        double[] first = Arrays.stream(a).sorted().toArray();
        double[] second = Arrays.stream(b).sorted().toArray();
        double sum = 0;
        // Positions count in units of which a number of a is b.length long, and one of b a.length.
        long at = 0;
        long end = (long) a.length * b.length;
        while (at < end) {
            int i = (int) (at / b.length);
            int j = (int) (at / a.length);
            long next = Math.min((i + 1L) * b.length, (j + 1L) * a.length);
            double gap = first[i] - second[j];
            sum += gap * gap * ((double) (next - at) / end);
            at = next;
        }
        return sum;
    }
}
