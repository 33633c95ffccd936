package holdfast.certificate;

import holdfast.Check;
import holdfast.data.DenseBlock;
import holdfast.math.Scratch;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.objective.WeightedL2;
import java.util.Arrays;

/**
 * The exact worst moves of a model with one score u: z = x + s A^-1 theta moves it by s n at the cost s^2 n/2, n = theta . A^-1
 * theta, so scores and labels are all that is needed of the rows.
 *
 * <p>A move s known up to a bracket b underestimates phi_lambda by at most lambda n b^2/2, because l is convex: the slope of l(u
 * + s n) - lambda s^2 n/2 is zero at the best s and falls by at most lambda n a unit. The bounds contain this, and the rounding
 * of scores in l.
 */
final class OneScoreMoves implements WorstMoves {
    /** Eight units in the last place. */
    static final double ROUNDING = 0x1p-50;

    private final LinearModel model;
    private final ScoredRows rows;
    private final double[] along;
    private final double n;

    OneScoreMoves(LinearModel model, double[] weights, WeightedL2 cost, ScoredRows rows) {
        this.model = model;
        this.rows = rows;
        this.along = cost.along(weights);
        this.n = cost.dot(weights, weights);
        Check.that(Double.isFinite(n), "the weights of the model are too large to be certified");
    }

    /** n */
    double squared() {
        return n;
    }

    double[] along() {
        return along;
    }

    @Override
    public boolean exact() {
        return true;
    }

    @Override
    public double[] lossesAtRest() {
        return losses(rows.scores());
    }

    /** l(u; y) of all rows at other scores: a row of one feature with weight 1 can have any score. */
    double[] losses(double[] u) {
        double[] one = new double[model.parameters(1)];
        one[0] = 1;
        double[] losses = new double[u.length];
        model.losses(one, new DenseBlock(1, u, rows.labels(), null), losses);
        return losses;
    }

    @Override
    public double[] costs(double lambda) {
        double[] costs = new double[rows.rows()];
        moves(lambda, costs);
        for (int j = 0; j < costs.length; j++) {
            costs[j] = costs[j] * (costs[j] * n) / 2;
        }
        return costs;
    }

    /** Puts all s into an array and returns the widest bracket. */
    private double moves(double lambda, double[] into) {
        int pieces = (into.length + ScoredRows.TOGETHER - 1) / ScoredRows.TOGETHER;
        double[] widest = new double[pieces];
        Threads.here().each(pieces, piece -> {
            int from = piece * ScoredRows.TOGETHER;
            int count = Math.min(ScoredRows.TOGETHER, into.length - from);
            double[] u = Arrays.copyOfRange(rows.scores(), from, from + count);
            double[] labels = Arrays.copyOfRange(rows.labels(), from, from + count);
            double[] s = new double[count];
            widest[piece] = model.worstMoves(u, labels, n, lambda, s, count, new Scratch());
            System.arraycopy(s, 0, into, from, count);
        });
        return Vectors.maxAbs(widest, pieces);
    }

    @Override
    public Moves at(double lambda) {
        int count = rows.rows();
        double[] s = new double[count];
        double bracket = moves(lambda, s);
        double[] u = new double[count];
        double[] costs = new double[count];
        for (int j = 0; j < count; j++) {
            u[j] = rows.scores()[j] + s[j] * n;
            costs[j] = s[j] * (s[j] * n) / 2;
        }
        double[] losses = losses(u);
        double[] bounds = new double[count];
        for (int j = 0; j < count; j++) {
            double reach = Math.abs(u[j]);
            double slope = model.slopeBound(reach, Math.abs(rows.labels()[j]));
            bounds[j] = losses[j]
                    - lambda * costs[j]
                    + lambda * bracket * (bracket * n) / 2
                    + ROUNDING * slope * (1 + reach + Math.abs(rows.scores()[j]));
        }
        return new Moves(bounds, losses, costs, (row, x) -> Vectors.addScaled(x, s[row], along, along.length));
    }
}
