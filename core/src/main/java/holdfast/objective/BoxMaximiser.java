package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Logistic;
import holdfast.model.PoissonRegression;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The global maximiser of Poisson regression under {@link WeightedL2} for rows that stay in a {@link Box}; without a box
 * there is none. By the conditions of Karush, Kuhn and Tucker the best z is x + s A^-1 theta with each feature stopped at
 * its bound, so one unknown remains. With t = |s| and sigma the sign of s, the score u(t) is piecewise linear: where N
 * is the sum of theta_i^2/a_i over the features not yet stopped, it grows by sigma N and the gain by N h(t), h(t) = sigma
 * l'(u(t)) - lambda t. On each piece h is convex upwards and concave downwards, so it falls through zero at most once,
 * between known points; all such t of both directions and both ends are compared. O(d log d) per row.
 */
public record BoxMaximiser(PoissonRegression model, double lambda, Box box, WeightedL2 cost) implements InnerMaximiser {
    private static final int MAX_STEPS = 200;

    public BoxMaximiser {
        Ascent.requirePrice(lambda);
        Check.that(box.bounded(), "the worst case needs a box");
    }

    /** With the paper's cost. */
    public BoxMaximiser(PoissonRegression model, double lambda, Box box) {
        this(model, lambda, box, WeightedL2.EQUAL);
    }

    @Override
    public void requireServes(Block block) {
        box.requireServes(block);
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int rows = block.rows();
        int d = block.columns();
        double[] u = new double[rows];
        model.scores(theta, block, u);
        double[] z = new double[rows * d];
        double[] costs = new double[rows];
        double[] x = new double[d];
        cost.requireFits(d);
        Line line = new Line(theta, cost.along(theta, 0, d), Math.sqrt(cost.least()));
        double precision = 0;
        for (int j = 0; j < rows; j++) {
            block.copyRow(j, x, 0);
            double label = block.labels()[j];
            Candidate up = climb(line, x, u[j], label, 1);
            Candidate down = climb(line, x, u[j], label, -1);
            Candidate best = down.gain > up.gain ? down : up;
            for (int i = 0; i < d; i++) {
                z[j * d + i] = box.clip(x[i] + best.s * line.along[i], x[i]);
                x[i] -= z[j * d + i];
            }
            costs[j] = cost.squared(x, 0, d) / 2;
            precision = Math.max(precision, best.precision);
        }
        return new WorstCase(new DenseBlock(d, z, block.labels(), block.weights()), costs, precision);
    }

    /**
     * The direction of all moves.
     *
     * @param along A^-1 theta
     * @param root of the smallest price
     */
    private record Line(double[] theta, double[] along, double root) {
        double square(int i) {
            return theta[i] * along[i];
        }
    }

    private record Candidate(double s, double gain, double precision) {}

    /** Where a feature reaches its bound, and theta_i^2/a_i. */
    private record Stop(double at, double square) {}

    /** Returns the best move in one direction. */
    private Candidate climb(Line line, double[] x, double start, double label, double sigma) {
        Candidate best = new Candidate(0, Logistic.exp(start) - label * start, 0);
        double[] at = new double[x.length];
        double reach = 0;
        for (int i = 0; i < at.length; i++) {
            double v = sigma * line.along[i];
            double room = v > 0 ? box.high(x[i]) - x[i] : x[i] - box.low(x[i]);
            at[i] = room / Math.abs(v);
            reach += v == 0 ? 0 : room * Math.abs(line.theta[i]);
        }
        // Beyond this point h is negative, so features that stop later need no look.
        double most = sigma * (Logistic.exp(start + sigma * reach) - label) / lambda;
        if (!(most > 0)) {
            return best;
        }
        Stop[] stops = IntStream.range(0, at.length)
                .filter(i -> at[i] < most)
                .mapToObj(i -> new Stop(at[i], line.square(i)))
                .sorted(Comparator.comparingDouble(Stop::at))
                .toArray(Stop[]::new);
        double[] moving = new double[stops.length + 1];
        for (int i = 0; i < at.length; i++) {
            moving[stops.length] += at[i] < most ? 0 : line.square(i);
        }
        for (int k = stops.length - 1; k >= 0; k--) {
            moving[k] = moving[k + 1] + stops[k].square;
        }
        double from = 0;
        double u = start;
        double spent = 0;
        for (int k = 0; k <= stops.length; k++) {
            double to = k < stops.length ? stops[k].at : most;
            if (to > from && moving[k] > 0) {
                Piece piece = new Piece(from, to, u, moving[k], label, lambda, sigma, line.root);
                best = piece.better(best, spent);
                u = piece.score(to);
                from = to;
            }
            spent += k < stops.length ? to * to * stops[k].square / 2 : from * from * moving[k] / 2;
        }
        double end = Logistic.exp(u) - label * u - lambda * spent;
        return end > best.gain ? new Candidate(sigma * from, end, 0) : best;
    }

    /** t in [from, to], where the score is u + sigma n (t - from). */
    private record Piece(
            double from, double to, double u, double n, double label, double lambda, double sigma, double root) {
        double score(double t) {
            return u + sigma * n * (t - from);
        }

        double h(double t) {
            return sigma * (Logistic.exp(score(t)) - label) - lambda * t;
        }

        boolean falls(double t) {
            return n * Logistic.exp(score(t)) < lambda;
        }

        /** @param spent the cost of the features that have stopped */
        Candidate better(Candidate best, double spent) {
            double low = from;
            double high = to;
            if (!(h(low) > 0 && h(high) <= 0)) {
                if (falls(from) == falls(to)) {
                    return best;
                }
                // Where the slope of h is zero: upwards, h falls before it; downwards, after it.
                double turn = from + sigma * (StrictMath.log(lambda / n) - u) / n;
                low = sigma > 0 ? from : turn;
                high = sigma > 0 ? turn : to;
                if (!(h(low) > 0 && h(high) <= 0)) {
                    return best;
                }
            }
            // Newton's method is monotone from the end where h is steepest; a bracket guards it against rounding.
            double t = sigma > 0 ? low : high;
            for (int step = 0; step < MAX_STEPS && high - low > Math.ulp(high); step++) {
                double h = h(t);
                if (h > 0) {
                    low = t;
                } else {
                    high = t;
                }
                double next = t - h / (n * Logistic.exp(score(t)) - lambda);
                if (Math.abs(next - t) <= 2 * Math.ulp(t)) {
                    next = t + sigma * 4 * Math.ulp(t); // Settled: a point just beyond the root closes the bracket.
                }
                t = next > low && next < high ? next : low + (high - low) / 2;
            }
            double a = score(t);
            double gain = Logistic.exp(a) - label * a - lambda * (spent + n * t * t / 2);
            return gain > best.gain ? new Candidate(sigma * t, gain, (high - low) * Math.sqrt(n) / root) : best;
        }
    }
}
