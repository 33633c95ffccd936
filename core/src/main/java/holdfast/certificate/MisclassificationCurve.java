package holdfast.certificate;

import holdfast.Check;
import holdfast.InputException;
import holdfast.certificate.ShiftCurve.Point;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.objective.MixedCost;
import holdfast.objective.PricedCost;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The certified misclassification rate of a model linear in its scores: no shift within a budget makes it misclassify more. Classes
 * are those it decides on, with its threshold and calibration: with two classes the boundary is where the calibrated probability
 * crosses the threshold, with more of them where another class has as large a score.
 *
 * <p>A row with label y leaves its class at the distance d = min over b of (u_y - u_b)/||w_y - w_b||_*, the dual norm; 0 if it is
 * misclassified already. If each row may move by q, the rate is the share of rows with d &lt;= q, exact up to rows on the boundary
 * itself, as for {@link holdfast.shift.WorstCaseShift}. If rows may move at a mean cost of rho, the nearest rows are moved first: a
 * fractional knapsack over d^2/2, the dual of inf over lambda of lambda rho + mean max(0, 1 - lambda d^2/2).
 *
 * <p>Where categories of some columns change as a whole, a row at the margin m from b pays the least of P + max(0, m - G)^2/(2 n) over
 * the sums (P, G) of prices and gains of changes, see {@code CrossingCosts}. Budgets for each row, and distances, are those of the
 * other features: categories stay.
 *
 * <p>Moves, clipped values, weights and sources are as for {@link ShiftCurve}.
 */
public final class MisclassificationCurve {
    /** How far the margin of a row is reduced for the rounding of scores, relative to them. */
    private static final double ROUNDING = 0x1p-40;

    /** More than the rounding of one sum or product in each of two scores. */
    private static final double UNIT = 0x1p-51;

    /** More than the rounding error of a probability. */
    private static final double PROBABILITY_ROUNDING = 0x1p-48;

    /** Probabilities are above 0 for scores from -this on. */
    private static final double FAR = 700;

    private final ScoredRows rows;
    private final LinearScores model;
    private final double[][] weights;
    private final PricedCost cost;
    private final double boundary;
    /** How far from the boundary a computed probability may still be on the other side of the threshold, because it is rounded. */
    private final double blur;

    /** How far the score of each row and that of a moved one may be off together. */
    private final double[] roundings;

    private final int kept;
    private final boolean independentRows;
    private final DualSearch search;

    private MisclassificationCurve(
            TrainedModel trained,
            Dataset data,
            PricedCost cost,
            ScoredRows rows,
            int tolerated,
            boolean independentRows) {
        Model asked = trained.model();
        if (!(asked instanceof LinearScores linear) || !asked.target().isClass()) {
            throw new InputException(
                    "a certified misclassification rate needs a model of classes linear in its scores, and "
                            + asked.name() + " is not");
        }
        cost.requireFits(data.columns());
        this.model = linear;
        this.rows = rows;
        this.cost = cost;
        this.independentRows = independentRows;
        kept = LargestSources.kept(rows.sources(), tolerated);
        double[] theta = trained.theta();
        weights = new double[model.scoresPerRow()][];
        Arrays.setAll(weights, c -> model.weights(theta, data.columns(), c));
        if (model.givesProbabilities()) {
            double above = 1 - trained.threshold();
            double logit = StrictMath.log(trained.threshold() / above);
            double intercept = trained.calibration().intercept();
            double slope = trained.calibration().slope();
            boundary = (logit - intercept) / slope;
            // Near 1 probabilities are rounded to a grid, and below e^-708 they are soon 0.
            blur = (ROUNDING * (Math.abs(logit) + Math.abs(intercept))
                            + PROBABILITY_ROUNDING / above
                            + Math.max(0, -FAR - logit))
                    / slope;
        } else {
            boundary = 0;
            blur = 0;
        }
        Dataset scaled = rows.scaled(trained, data);
        roundings = roundings(scaled);
        double[] crossing = cost instanceof MixedCost mixed
                ? crossing(mixed, scaled)
                : Arrays.stream(ordered(Norm.L2)).map(d -> d * d / 2).toArray();
        search = new DualSearch(rows, new CrossingMoves(crossing, rows.wrong()), kept);
    }

    /**
     * Certifies a model on rows.
     *
     * @param rows labelled, unscaled, with the model's features
     */
    public static MisclassificationCurve of(TrainedModel model, Dataset rows, PricedCost cost) {
        return new MisclassificationCurve(model, rows, cost, ScoredRows.pooled(model, rows), 0, !rows.weighted());
    }

    /**
     * Certifies a model on the rows of sources of which some may lie about theirs; what is bounded is the mean over the honest
     * sources of their misclassification rates, see {@link ShiftCurve#bySource}.
     *
     * @param tolerated how many sources may lie
     */
    public static MisclassificationCurve bySource(TrainedModel model, Dataset rows, PricedCost cost, int tolerated) {
        return new MisclassificationCurve(model, rows, cost, ScoredRows.bySource(model, rows), tolerated, false);
    }

    /**
     * Returns the rate that is certified if rows move at a mean cost of at most rho; a rate of 1 is certified at the price 0.
     */
    public Point at(double rho) {
        ShiftCurve.requireBudget(rho);
        Point point = search.within(rho).point();
        boolean all = point.certified() >= 1 && rho > 0;
        return new Point(rho, all ? 0 : point.lambda(), Math.min(1, point.certified()), Math.min(1, point.attained()));
    }

    /** Returns what is certified for each rho. */
    public List<Point> points(double... rhos) {
        return Arrays.stream(rhos).mapToObj(this::at).toList();
    }

    /** Returns the rate that is certified if each row moves within ||A^(1/2) (z - x)||_p &lt;= q. */
    public double rate(Norm norm, double q) {
        Check.that(q >= 0 && Double.isFinite(q), "the budget must be finite and >= 0, got %s", q);
        double[] reached = ordered(norm);
        Arrays.setAll(reached, j -> reached[j] <= q ? 1 : 0);
        double[] bySource = rows.means(reached);
        int[] all = IntStream.range(0, rows.sources()).toArray();
        return Math.min(1, LargestSources.mean(bySource, LargestSources.of(bySource, all, kept)) + 0x1p-45);
    }

    /**
     * Returns how far each row is from being misclassified, in the order of the given data: 0 if it is, infinite if no move of
     * its features can do it.
     */
    public double[] distances(Norm norm) {
        double[] ordered = ordered(norm);
        double[] distances = new double[ordered.length];
        for (int j = 0; j < ordered.length; j++) {
            distances[rows.order()[j]] = ordered[j];
        }
        return distances;
    }

    /**
     * Returns what to add to every rate of this curve so that, with probability 1 - delta over the draw of the rows, all of them hold
     * for the distribution that they were drawn from: sqrt(ln(c/delta)/(2N)) for N rows.
     *
     * <p>Let F be the distribution function of the distance d, F_N that of the rows. By the one-sided inequality of Dvoretzky,
     * Kiefer and Wolfowitz (1956; with this constant Massart 1990, for delta &lt;= 1/2, whether or not F is continuous), F &lt;= F_N + e
     * everywhere with probability 1 - delta, e the term for c = 1. That is the rate for every q. A mean cost of rho is certified at some
     * lambda by lambda rho + the mean of h(d) = max(0, 1 - lambda d^2/2), which falls from 1 to 0, so its mean is the integral of F over
     * -dh and exceeds that of the rows by at most e. One event covers every q, rho and lambda.
     *
     * <p>With two classes the distances in the three norms are multiples of one margin, and c = 1. With more of them another rival may
     * be nearest in each norm, so there are three distributions, and c = 3. Where columns change as a whole, which only a mean cost
     * allows for, its distances are one distribution more.
     *
     * <p>Nothing adds it by itself, because it is valid only if the rows are independent draws from one distribution and were not
     * used to choose theta, scaling, threshold or calibration: held-out rows, not training rows, and not sources that differ.
     *
     * @param delta above 0, at most 1/2, for which the inequality is one-sided
     * @throws InputException for weighted rows or rows by source, to which it does not apply
     */
    public double sampleTerm(double delta) {
        Check.that(delta > 0 && delta <= 0.5, "delta must be above 0 and at most 0.5, got %s", delta);
        Check.that(independentRows, "a finite sample term needs rows that count the same, without weights or sources");
        double events = (weights.length <= 2 ? 1 : Norm.values().length)
                + (cost.changes().isEmpty() ? 0 : 1);
        return Math.sqrt(StrictMath.log(events / delta) / (2.0 * rows.rows()));
    }

    /** Scores are sums of products that may be large and cancel: of the features and, with the opposite sign, the intercept. */
    private double[] roundings(Dataset scaled) {
        double[] most = new double[scaled.columns()];
        for (double[] w : weights) {
            Arrays.setAll(most, i -> Math.max(most[i], Math.abs(w[i])));
        }
        double unit = UNIT * (most.length + 16);
        double[] roundings = new double[scaled.rows()];
        List<Block> blocks = scaled.blocks();
        Threads.here().each(blocks.size(), b -> {
            for (int i = 0; i < blocks.get(b).rows(); i++) {
                int j = b * scaled.blockRows() + i;
                blocks.get(b).nonZeros(i, (column, value) -> roundings[j] += unit * most[column] * Math.abs(value));
            }
        });
        return roundings;
    }

    /** Returns how much w . x changes at most if ||A^(1/2) (z - x)||_p &lt;= 1. */
    private double dual(Norm norm, double[] w) {
        double[] scaled = cost.features().scaled(w);
        return switch (norm) {
            case L1 -> Vectors.maxAbs(scaled, scaled.length);
            case L2 -> Vectors.norm(scaled);
            case LINF -> Vectors.sum(Arrays.stream(scaled).map(Math::abs).toArray(), scaled.length);
        };
    }

    private double[] ordered(Norm norm) {
        int k = weights.length;
        double[] distances = new double[rows.rows()];
        if (k <= 2) {
            double[] w = weights[k - 1].clone();
            if (k == 2) {
                Vectors.addScaled(w, -1, weights[0], w.length);
            }
            double dual = dual(norm, w);
            for (int j = 0; j < distances.length; j++) {
                double u = k == 1 ? rows.scores()[j] : rows.scores()[2 * j + 1] - rows.scores()[2 * j];
                double sizes =
                        k == 1 ? Math.abs(u) : Math.abs(rows.scores()[2 * j]) + Math.abs(rows.scores()[2 * j + 1]);
                distances[j] = rows.wrong()[j]
                        ? 0
                        : distance(u, boundary, sizes + Math.abs(boundary), blur + roundings[j], dual);
            }
            return distances;
        }
        double[][] duals = new double[k][k];
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < k; b++) {
                double[] gap = weights[a].clone();
                Vectors.addScaled(gap, -1, weights[b], gap.length);
                duals[a][b] = dual(norm, gap);
            }
        }
        for (int j = 0; j < distances.length; j++) {
            int y = (int) rows.labels()[j];
            double own = rows.scores()[j * k + y];
            distances[j] = rows.wrong()[j] ? 0 : Double.POSITIVE_INFINITY;
            for (int c = 0; c < k; c++) {
                double other = rows.scores()[j * k + c];
                if (c != y) {
                    distances[j] = Math.min(
                            distances[j],
                            distance(own, other, Math.abs(own) + Math.abs(other), roundings[j], duals[y][c]));
                }
            }
        }
        return distances;
    }

    /** Returns what each row pays to be misclassified. */
    private double[] crossing(MixedCost mixed, Dataset scaled) {
        int k = weights.length;
        int classes = Math.max(2, k);
        // The boundary is where the score of class 1 less that of class 0 crosses it.
        double[][] own = k == 1 ? new double[][] {new double[weights[0].length], weights[0]} : weights;
        ClassGains gains = ClassGains.of(mixed.changes(), own, scaled);
        CrossingCosts[][] costs = new CrossingCosts[classes][classes];
        for (int y = 0; y < classes; y++) {
            for (int c = 0; c < classes; c++) {
                double[] w = own[c].clone();
                Vectors.addScaled(w, -1, own[y], w.length);
                costs[y][c] = new CrossingCosts(mixed, w);
            }
        }
        double[] crossing = new double[rows.rows()];
        Threads.here().each(scaled.blocks().size(), b -> {
            int first = b * scaled.blockRows();
            for (int j = first; j < Math.min(crossing.length, first + scaled.blockRows()); j++) {
                crossing[j] = crossing(j, gains, costs);
            }
        });
        return crossing;
    }

    private double crossing(int j, ClassGains gains, CrossingCosts[][] costs) {
        if (rows.wrong()[j]) {
            return 0;
        }
        int k = weights.length;
        double least = Double.POSITIVE_INFINITY;
        double side = k > 2 ? 0 : k == 1 ? rows.scores()[j] : rows.scores()[2 * j + 1] - rows.scores()[2 * j];
        // With one boundary a row leaves the side on which it is.
        int y = k > 2 ? (int) rows.labels()[j] : side > boundary ? 1 : 0;
        for (int c = 0; c < costs.length; c++) {
            if (c == y) {
                continue;
            }
            double one = k > 2 ? rows.scores()[j * k + y] : side;
            double other = k > 2 ? rows.scores()[j * k + c] : boundary;
            double size = k > 2
                    ? Math.abs(one) + Math.abs(other)
                    : Math.abs(boundary)
                            + (k == 1
                                    ? Math.abs(side)
                                    : Math.abs(rows.scores()[2 * j]) + Math.abs(rows.scores()[2 * j + 1]));
            double margin = Math.abs(one - other)
                    - ROUNDING * (1 + size + 2 * gains.size())
                    - (k > 2 ? 0 : blur)
                    - roundings[j];
            double[] most = new double[gains.columns()];
            int rival = c;
            Arrays.setAll(most, g -> gains.best(j, g, rival, y));
            least = Math.min(least, margin > 0 ? costs[y][c].least(margin, most) : 0);
        }
        return least * (1 - ROUNDING);
    }

    private static double distance(double one, double other, double sizes, double blur, double dual) {
        double margin = Math.max(0, Math.abs(one - other) - ROUNDING * (1 + sizes) - blur);
        return dual > 0 ? margin / dual * (1 - ROUNDING) : Double.POSITIVE_INFINITY;
    }
}
