package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.model.LinearRegression;
import holdfast.model.Model;
import java.util.List;

/**
 * What a worker minimises for a {@link WassersteinBall}: F_i(theta, lambda) = lambda rho + (1/n) sum w_j
 * phi_lambda(theta; x_j) + (l2/2)||theta||^2. By the envelope theorem its slope in lambda is rho - (1/n) sum w_j c_j, c_j
 * what the worst move of row j costs. Workers report that mean cost.
 *
 * <p>The squared loss has no finite phi for lambda &lt;= ||theta||^2 (theta . A^-1 theta with prices A). For it, the variable is the excess of lambda over that,
 * so that every theta and every excess above 0 have a finite F; the gradient in theta then has the term (rho - mean cost)
 * grad ||theta||^2. For other losses the excess is lambda itself.
 *
 * <p>While rows move little for what they cost, costs fall with the square of the excess, and excess sqrt(cost/rho) is a
 * Newton step on its logarithm. It is taken, but by at most {@link #DAMPING} either way, and shortened where the mean cost
 * changes sides: where lambda is below L_zz, rows jump and costs fall faster.
 *
 * <p>Nothing is known at first: rows stay, and workers report their mean loss. F at the best theta is at most that, and at
 * least lambda rho, if losses are not negative. So the first excess, mean loss / rho, is above the best lambda.
 */
public final class BallLoss implements Objective {
    /** The variables: the excess, 0 while unknown; the mean loss at the start; the damping, with the sign of the last turn. */
    private static final int EXCESS = 0;

    private static final int START = 1;
    private static final int TURN = 2;

    /** The largest change of the logarithm of the excess. */
    private static final double DAMPING = 0.5;

    private static final double MIN_DAMPING = 0.02;
    private static final double SHORTER = 0.7;
    private static final double LONGER = 1.2;

    /** The least share of the first loss that excess times rho may be: it changes F by less than this share. */
    private static final double LEAST = 1e-4;

    private final Model model;
    private final WassersteinBall ball;
    private final double l2;
    private final RobustLoss still;
    private final boolean bounded;

    /** The robust loss at the last price: all blocks of a round have the same. */
    private volatile RobustLoss last;

    BallLoss(Model model, WassersteinBall ball, double l2) {
        this.model = model;
        this.ball = ball;
        this.l2 = l2;
        this.still = Wasserstein.none().on(model, l2);
        this.bounded =
                !(model instanceof LinearRegression) || ball.boxFor(model).bounded();
        this.last = ball.moves().on(model, l2);
    }

    @Override
    public Model model() {
        return model;
    }

    /** Returns the least lambda at which phi may be finite, theta . A^-1 theta for the prices A of features. */
    private double least(double[] theta, int features) {
        return bounded ? 0 : Vectors.dot(theta, along(theta, features), features);
    }

    private double[] along(double[] theta, int features) {
        TransportCost cost = ball.moves().cost();
        WeightedL2 weighted = cost instanceof PricedCost priced ? priced.features() : WeightedL2.of(cost);
        return weighted == null
                ? Vectors.scaled(1 / cost.strongConvexity(), theta)
                : weighted.along(theta, 0, features);
    }

    /** Returns lambda; infinite while it is unknown. */
    public double price(Iterate at, int features) {
        if (!isComparable(at.duals())) {
            return Double.POSITIVE_INFINITY;
        }
        double least = least(at.theta(), features);
        return Math.max(least + at.duals()[EXCESS], least * (1 + 1e-12));
    }

    private RobustLoss loss(Iterate at, int features) {
        double price = price(at, features);
        if (price == Double.POSITIVE_INFINITY) {
            return still;
        }
        RobustLoss known = last;
        if (known.maximiser().lambda() != price) {
            known = ball.moves().withLambda(price).on(model, l2);
            last = known;
        }
        return known;
    }

    /** In the place of a gradient in the variables there is the sum of the costs, or of the losses while rows stay. */
    @Override
    public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
        boolean known = isComparable(at.duals());
        ShardSums own = loss(at, blocks.get(0).columns()).sumsWithCosts(at, blocks, withLoss || !known);
        double reported = known ? own.duals()[0] : own.loss();
        return new ShardSums(
                own.gradient(),
                new double[] {reported, 0, 0},
                withLoss ? own.loss() : Double.NaN,
                own.rows(),
                own.precision());
    }

    @Override
    public double[] gradient(Iterate at, ShardSums sums, int features) {
        double[] gradient = still.gradient(at, sums, features);
        if (!bounded && isComparable(at.duals())) {
            double slope = ball.radius() - sums.duals()[EXCESS] / sums.rows();
            Vectors.addScaled(gradient, 2 * slope, along(at.theta(), features), features);
        }
        return gradient;
    }

    @Override
    public double value(Iterate at, ShardSums sums, int features) {
        double paid = isComparable(at.duals()) ? price(at, features) * ball.radius() : 0;
        return paid + still.value(at, sums, features);
    }

    /** (l2/2)||theta||^2, which is part of the value. */
    public double penalty(double[] theta, int features) {
        return Penalty.value(l2, theta, model, features);
    }

    @Override
    public double[] startDuals() {
        return new double[3];
    }

    @Override
    public boolean isComparable(double[] duals) {
        return duals[EXCESS] != 0;
    }

    @Override
    public double[] nextDuals(double[] duals, double[] reports, double step) {
        if (!isComparable(duals)) {
            double start = aboveZero(reports[EXCESS]);
            return new double[] {start / ball.radius(), start, DAMPING};
        }
        double turn = turn(duals, reports);
        return new double[] {
            excess(duals, turn), duals[START], turn == 0 ? duals[TURN] : Math.copySign(damping(duals, turn), turn)
        };
    }

    /** Returns the mean loss at the start, which is known after the first round. */
    public double startLoss(double[] duals) {
        return duals[START];
    }

    /** Returns a loss above 0 even where the first one is 0, so that the price is above 0. */
    private static double aboveZero(double reported) {
        return reported == 0 ? 1 : Math.abs(reported);
    }

    /** Returns the logarithm of the mean cost over rho, at most 1 either way. */
    private double turn(double[] duals, double[] reports) {
        double share = reports[EXCESS] / ball.radius();
        return share > 0 ? Math.max(-1, Math.min(1, StrictMath.log(share))) : -1;
    }

    private static double damping(double[] duals, double turn) {
        double before = Math.abs(duals[TURN]);
        return turn * duals[TURN] < 0 ? Math.max(MIN_DAMPING, SHORTER * before) : Math.min(DAMPING, LONGER * before);
    }

    private double excess(double[] duals, double turn) {
        double next = duals[EXCESS] * StrictMath.exp(damping(duals, turn) * turn);
        return Math.max(next, leastExcess(duals[START]));
    }

    /**
     * Returns the excess below which it never falls.
     *
     * @param start the mean loss at the start
     */
    public double leastExcess(double start) {
        return LEAST * aboveZero(start) / ball.radius();
    }

    /** The slope in the excess times its next step, about twice what the step gains. */
    @Override
    public double dualGap(double[] duals, double[] reports) {
        if (!isComparable(duals)) {
            return Double.POSITIVE_INFINITY;
        }
        double step = excess(duals, turn(duals, reports)) - duals[EXCESS];
        return Math.abs((ball.radius() - reports[EXCESS]) * step);
    }

    @Override
    public double[] newton(Iterate at, Dataset rows, double[] gradient, double damping) {
        return loss(at, rows.columns()).newton(at, rows, gradient, damping);
    }

    @Override
    public void requireServes(Block block) {
        last.requireServes(block);
    }
}
