package holdfast.certificate;

import holdfast.Check;
import holdfast.InputException;
import holdfast.certificate.WorstDistribution.Part;
import holdfast.certificate.WorstMoves.Moves;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.objective.Box;
import holdfast.objective.CategoryColumn;
import holdfast.objective.CategoryGains;
import holdfast.objective.MixedCost;
import holdfast.objective.PricedCost;
import holdfast.preparation.RowScaler;
import holdfast.preparation.Scaling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A certificate against shifts: no distribution that the given rows can be moved to at a mean cost of at most rho has a larger mean
 * loss than
 *
 * <pre>
 * L(rho) = inf over lambda &gt;= 0 of lambda rho + mean phi_lambda(x),   phi_lambda(x) = sup over z of f(theta; z) - lambda c(z, x).
 * </pre>
 *
 * That is the Wasserstein ball of radius rho under {@link holdfast.objective.WeightedL2}, or under a {@link MixedCost}, which changes
 * categories as a whole; labels stay. If each row moves by at most q, rho = q^2/2 covers it. Beside every certified loss stands that of a distribution really constructed within rho, so the gap is seen: for models with
 * one score it is rounding, below 1e-12 of the loss, or 1e-14 times the largest score where
 * losses vanish; for softmax phi_lambda is only bounded, see {@code SoftmaxMoves}, and the gap is mostly below a tenth, at worst
 * about a quarter.
 *
 * <p>In floating point, certified values stay above: rounding and the brackets of inner solutions are added. Scores are taken as
 * the model computes them.
 *
 * <p>Losses are those the model was trained for, without calibration, with labels in the unit in which it learnt them (times
 * {@code labels().divisor()} squared for linear regression in the label's own). Means are over rows by their weights.
 *
 * <p>Moves are in units of the scaled features, from the given rows as the model sees them, to anywhere. If the scaling cuts values
 * off, or leaves out columns that were constant in training, the model sees fewer rows than that; the certificate holds for those
 * too. A distribution that was constructed may then need rows that do not exist: they are marked, see {@link
 * MovedRow#reachable()}.
 *
 * <p>Says nothing about rows that were not given. Immutable, except that prices tried are remembered for the next rho; no result
 * depends on it.
 */
public final class ShiftCurve {
    /**
     * Parts of a row that move alike up to this, relative to how far, are one row: it costs no more than they, and its loss
     * differs in the order of the square.
     */
    private static final double ALIKE = 1e-6;

    private final TrainedModel trained;
    private final Dataset data;
    private final PricedCost cost;
    private final ScoredRows rows;
    private final WorstMoves moves;
    private final WorstDistribution.Search search;

    private ShiftCurve(TrainedModel trained, Dataset data, PricedCost cost, Box box, ScoredRows rows, int tolerated) {
        this.trained = trained;
        this.data = data;
        this.cost = cost;
        this.rows = rows;
        int kept = LargestSources.kept(rows.sources(), tolerated);
        cost.requireFits(data.columns());
        Model model = trained.model();
        double[] theta = trained.theta();
        Check.that(
                !model.needsBox() || box.bounded(),
                "model %s: without a box every shift certificate is infinite; give a box",
                model.name());
        Check.that(
                model.needsBox() || !box.bounded() || !(model instanceof LinearScores),
                "model %s: its certificate needs no box",
                model.name());
        MixedCost mixed = cost instanceof MixedCost categories ? categories : null;
        if (model instanceof PoissonRegression poisson) {
            Check.that(
                    mixed == null,
                    "model %s: no certificate is known for categories that change as a whole; leave out whole(...) in --prices",
                    model.name());
            moves = new BoxMoves(poisson, trained, data, box, cost.features(), rows);
        } else if (model instanceof SoftmaxRegression softmax) {
            double[][] weights = softmax.weightsByClass(theta, data.columns());
            moves = new SoftmaxMoves(
                    weights,
                    cost.features(),
                    rows,
                    mixed == null
                            ? ClassGains.NONE
                            : ClassGains.of(mixed.changes(), weights, rows.scaled(trained, data)));
        } else if (model instanceof LinearModel linear) {
            double[] weights = linear.weights(theta, data.columns(), 0);
            moves = mixed == null
                    ? new OneScoreMoves(linear, weights, cost.features(), rows)
                    : mixed(new MixedMoves(linear, weights, mixed, rows, rows.scaled(trained, data)));
        } else {
            throw new InputException(
                    "a shift certificate needs a model with known worst cases, and " + model.name() + " has none");
        }
        search = model instanceof LinearRegression && moves instanceof OneScoreMoves closed
                ? new LeastSquaresSearch(closed, rows, kept)
                : new DualSearch(rows, moves, kept);
    }

    /** Where no category changes anything, rows keep theirs. */
    private static WorstMoves mixed(MixedMoves moves) {
        return moves.none() ? moves.rest() : moves;
    }

    /**
     * Certifies a model on rows.
     *
     * @param rows labelled, unscaled, with the model's features
     */
    public static ShiftCurve of(TrainedModel model, Dataset rows, PricedCost cost) {
        return of(model, rows, cost, Box.NONE);
    }

    /**
     * Certifies a model on rows that stay in a box, which Poisson regression needs and no other model has.
     *
     * @param rows labelled, unscaled, with the model's features
     */
    public static ShiftCurve of(TrainedModel model, Dataset rows, PricedCost cost, Box box) {
        return new ShiftCurve(model, rows, cost, box, ScoredRows.pooled(model, rows), 0);
    }

    /**
     * Certifies a model on the rows of sources of which some may lie about theirs. Let H be the honest sources, at least m - b of
     * the m with rows. What is bounded is the mean over H of each source's mean loss, where all rows of H move at a cost of at
     * most rho, as the mean over H of each source's mean cost. Every source counts the same, however many rows it has.
     *
     * <p>For each lambda, mean over H of Phi_i is at most the mean of the m - b largest Phi_i = mean phi_lambda over source i,
     * whatever the liars' rows are; so G(lambda) = lambda rho + that mean bounds it, and the infimum is taken of G. (Dropping the
     * largest as conspicuous would be unsound: they may be the honest ones.) The loss beside it is the largest found with m - b
     * of the sources as the honest ones. If b &gt; 0 the gap need not be small, because the sources that count may change with
     * lambda.
     *
     * @param tolerated b, how many sources may lie
     */
    public static ShiftCurve bySource(TrainedModel model, Dataset rows, PricedCost cost, Box box, int tolerated) {
        return new ShiftCurve(model, rows, cost, box, ScoredRows.bySource(model, rows), tolerated);
    }

    /**
     * What is certified within a budget.
     *
     * @param lambda the price at which it is certified
     * @param certified no distribution within rho has a larger mean
     * @param attained the mean of a distribution within rho
     */
    public record Point(double rho, double lambda, double certified, double attained) {
        /**
         * Returns what this price certifies within another budget above 0: lambda rho + mean phi_lambda bounds every distribution
         * within rho, for every rho, so the least of several points' bounds is a curve that is nowhere too low. Rounding of the
         * difference is added.
         */
        public double certifiedWithin(double other) {
            requireBudget(other);
            double by = lambda * (other - rho);
            return certified + by + 0x1p-45 * (Math.abs(certified) + lambda * (other + rho));
        }
    }

    /** Returns what is certified within rho. */
    public Point at(double rho) {
        return within(rho).point();
    }

    /** Returns what is certified within each rho. */
    public List<Point> points(double... rhos) {
        return Arrays.stream(rhos).mapToObj(this::at).toList();
    }

    private WorstDistribution within(double rho) {
        requireBudget(rho);
        return search.within(rho);
    }

    static void requireBudget(double rho) {
        Check.that(rho >= 0 && Double.isFinite(rho), "rho must be finite and >= 0, got %s", rho);
    }

    /** Whether certified and attained losses differ by rounding alone, unless sources may lie. */
    public boolean exact() {
        return moves.exact();
    }

    /**
     * Returns the rows of the distribution whose loss is {@link Point#attained()}. Sources that count as liars in it are left
     * out. Features are those that the model's encoding makes of a table's columns.
     */
    public List<MovedRow> worstRows(double rho) {
        WorstDistribution worst = within(rho);
        List<Moves> moves =
                worst.parts().stream().map(part -> part.moves().get()).toList();
        double[] before = this.moves.lossesAtRest();
        RowScaler scaler = trained.scaling().rowScaler();
        List<MovedRow> moved = new ArrayList<>();
        for (int g : worst.sources()) {
            for (int j = rows.starts()[g]; j < rows.starts()[g + 1]; j++) {
                double share = rows.shares()[j] / worst.sources().length;
                for (Piece piece : pieces(j, scaled(j, scaler), worst.parts(), moves)) {
                    moved.add(moved(j, share * piece.share, before[j], scaled(j, scaler), piece));
                }
            }
        }
        return moved;
    }

    private double[] scaled(int j, RowScaler scaler) {
        double[] x = data.row(rows.order()[j]);
        if (trained.scaling().kind() != Scaling.Kind.NONE) {
            scaler.scale(x, 0, x, 0);
        }
        return x;
    }

    /** A part of a row, moved to z. */
    private record Piece(double share, double[] z, double loss, int[] categories) {}

    private List<Piece> pieces(int j, double[] x, List<Part> parts, List<Moves> moves) {
        List<Piece> pieces = new ArrayList<>();
        for (int p = 0; p < parts.size(); p++) {
            double[] z = x.clone();
            moves.get(p).displacement().apply(j, z);
            if (parts.get(p).share() > 0) {
                pieces.add(new Piece(
                        parts.get(p).share(),
                        z,
                        moves.get(p).losses()[j],
                        moves.get(p).displacement().categories(j)));
            }
        }
        if (pieces.size() < 2) {
            return pieces;
        }
        Piece one = pieces.get(0);
        Piece two = pieces.get(1);
        double apart = 0;
        double far = 0;
        double[] between = x.clone();
        for (int i = 0; i < x.length; i++) {
            apart = Math.max(apart, Math.abs(one.z[i] - two.z[i]));
            far = Math.max(far, Math.abs(one.z[i] - x[i]));
            between[i] += one.share * (one.z[i] - x[i]) + two.share * (two.z[i] - x[i]);
        }
        CategoryGains.put(cost.changes(), one.categories, between, 0);
        boolean alike = apart <= ALIKE * far && Arrays.equals(one.categories, two.categories);
        return alike
                ? List.of(new Piece(1, between, one.share * one.loss + two.share * two.loss, one.categories))
                : pieces;
    }

    private MovedRow moved(int j, double share, double before, double[] x, Piece piece) {
        Scaling scaling = trained.scaling();
        double[] offsets = scaling.offsets();
        double[] divisors = scaling.divisors();
        double[] from = data.row(rows.order()[j]);
        double[] to = from.clone();
        double[] by = piece.z.clone();
        boolean reachable = true;
        for (int i = 0; i < to.length; i++) {
            by[i] -= x[i];
            if (by[i] != 0) {
                boolean constant = divisors[i] == Double.POSITIVE_INFINITY;
                to[i] = constant ? from[i] : offsets[i] + piece.z[i] * divisors[i];
                reachable &= !constant && Math.abs(piece.z[i]) <= scaling.clip() && Double.isFinite(to[i]);
            }
        }
        List<MovedRow.Change> changes = new ArrayList<>();
        for (int c = 0; c < piece.categories.length; c++) {
            if (piece.categories[c] >= 0) {
                MixedCost.Change change = cost.changes().get(c);
                changes.add(MovedRow.Change.of(change, data.schema(), from, piece.categories[c]));
                CategoryColumn column = change.column();
                // Exactly as a table has it, whatever scaling rounds or cuts off.
                for (int k = 0; k < column.width(); k++) {
                    to[column.first() + k] = k == piece.categories[c] ? 1 : 0;
                    by[column.first() + k] = 0;
                }
            }
        }
        return new MovedRow(
                rows.order()[j],
                share,
                data.label(rows.order()[j]),
                before,
                piece.loss,
                cost.cost(piece.z, x, 0, x.length),
                from,
                to,
                by,
                reachable,
                changes);
    }
}
