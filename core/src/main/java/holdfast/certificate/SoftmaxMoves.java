package holdfast.certificate;

import holdfast.Check;
import holdfast.math.Logistic;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearModel.Move;
import holdfast.model.LogisticRegression;
import holdfast.objective.WeightedL2;
import java.util.Arrays;

/**
 * Good moves of softmax regression and bounds on the best ones. Rows move in the space that the weights span, z = x + A^-1 W^T s,
 * which moves the scores by G s at the cost s . G s/2, G = W A^-1 W^T.
 *
 * <p>The moves are found by s &lt;- (p - e_y)/lambda, p the probabilities after the move: f is convex in z, so replacing it by its
 * tangent bounds it from below, and no step lowers f - lambda c. If lambda &gt; L_zz = max over classes of ||w_c - w_c'||^2/4 (norms
 * in A^-1), f - lambda c is strongly concave, and phi_lambda exceeds what was found by at most ||grad||^2/(2 (lambda - L_zz)).
 *
 * <p>For every lambda, with v_c = u_c - u_y, n_c = ||w_c - w_y||^2 and any weights pi that sum to 1 over c != y,
 *
 * <pre>
 * 1 + sum e^a_c = sum pi_c (1 + e^(a_c - log pi_c)), so
 * phi_lambda &lt;= log sum over c != y of pi_c exp(phi_c),
 * </pre>
 *
 * where phi_c is the exact worst case of log(1 + e^a) from a = v_c - log pi_c along w_c - w_y. pi = softmax(v_c + n_c/(2 lambda))
 * is close to the best. The smaller of both bounds counts.
 */
final class SoftmaxMoves implements WorstMoves {
    private static final int MAX_STEPS = 200;
    /** A change of a probability that ends the ascent. */
    private static final double SETTLED = 1e-6;
    /** What ||grad||^2/(2 (lambda - L_zz)) may be, so that the other bound is not worth its time. */
    private static final double SHARP = 1e-9;

    private static final LogisticRegression LOGISTIC = new LogisticRegression(false);
    private static final double ROUNDING = 0x1p-46;

    private final double[][] along;
    private final double[][] gram;
    private final double[][] apart;
    private final double zz;
    private final ScoredRows rows;
    private final int k;

    /** @param w the weights of each class */
    SoftmaxMoves(double[][] w, WeightedL2 cost, ScoredRows rows) {
        this.rows = rows;
        k = w.length;
        along = new double[k][];
        gram = new double[k][k];
        apart = new double[k][k];
        double most = 0;
        for (int a = 0; a < k; a++) {
            along[a] = cost.along(w[a]);
            for (int b = 0; b < k; b++) {
                gram[a][b] = cost.dot(w[a], w[b]);
                double[] gap = w[a].clone();
                Vectors.addScaled(gap, -1, w[b], gap.length);
                apart[a][b] = cost.dot(gap, gap);
                most = Math.max(most, apart[a][b]);
            }
        }
        Check.that(Double.isFinite(most), "the weights of the model are too large to be certified");
        zz = most / 4 * (1 + ROUNDING);
    }

    @Override
    public boolean exact() {
        return false;
    }

    @Override
    public double[] lossesAtRest() {
        double[] losses = new double[rows.rows()];
        double[] p = new double[k];
        for (int j = 0; j < losses.length; j++) {
            losses[j] = loss(Arrays.copyOfRange(rows.scores(), j * k, (j + 1) * k), (int) rows.labels()[j], p);
        }
        return losses;
    }

    /** Returns log sum e^u_c - u_y and leaves the probabilities in p. */
    private double loss(double[] u, int y, double[] p) {
        double most = Arrays.stream(u).max().orElseThrow();
        double sum = 0;
        for (int c = 0; c < k; c++) {
            p[c] = Logistic.exp(u[c] - most);
            sum += p[c];
        }
        for (int c = 0; c < k; c++) {
            p[c] /= sum;
        }
        return most - u[y] + StrictMath.log(sum);
    }

    @Override
    public Moves at(double lambda) {
        int count = rows.rows();
        double[] bounds = new double[count];
        double[] losses = new double[count];
        double[] costs = new double[count];
        double[][] s = new double[count][];
        int pieces = (count + ScoredRows.TOGETHER - 1) / ScoredRows.TOGETHER;
        Threads.here().each(pieces, piece -> {
            int to = Math.min(count, (piece + 1) * ScoredRows.TOGETHER);
            for (int j = piece * ScoredRows.TOGETHER; j < to; j++) {
                Climb best = climb(j, lambda);
                bounds[j] = best.bound;
                losses[j] = best.loss;
                costs[j] = best.cost;
                s[j] = best.s;
            }
        });
        return new Moves(bounds, losses, costs, (row, x) -> {
            for (int c = 0; c < k; c++) {
                Vectors.addScaled(x, s[row][c], along[c], x.length);
            }
        });
    }

    /** A move, and a bound on phi_lambda. */
    private record Climb(double[] s, double loss, double cost, double bound) {}

    private Climb climb(int row, double lambda) {
        double[] u = Arrays.copyOfRange(rows.scores(), row * k, (row + 1) * k);
        int y = (int) rows.labels()[row];
        Climb best = climb(u, y, new double[k], lambda);
        if (best.bound - (best.loss - lambda * best.cost) <= SHARP) {
            return rounded(best, u, lambda);
        }
        double limit = Math.min(best.bound, byPairs(u, y, lambda));
        if (!(lambda > zz)) {
            // There may be several maxima; the class that alone gains most is a good place to start from.
            double[] towards = new double[k];
            int next = nearest(u, y, lambda);
            towards[next] = 1 / lambda;
            towards[y] = -1 / lambda;
            Climb other = climb(u, y, towards, lambda);
            best = other.loss - lambda * other.cost > best.loss - lambda * best.cost ? other : best;
        }
        return rounded(new Climb(best.s, best.loss, best.cost, limit), u, lambda);
    }

    private Climb rounded(Climb climb, double[] u, double lambda) {
        double size = climb.loss + lambda * climb.cost + Vectors.maxAbs(u, k) + 1;
        return new Climb(climb.s, climb.loss, climb.cost, climb.bound + ROUNDING * size);
    }

    private int nearest(double[] u, int y, double lambda) {
        int next = y == 0 ? 1 : 0;
        for (int c = 0; c < k; c++) {
            if (c != y && u[c] + apart[y][c] / (2 * lambda) > u[next] + apart[y][next] / (2 * lambda)) {
                next = c;
            }
        }
        return next;
    }

    /** Ascends from s, which is used up; the bound is infinite where none is known. */
    private Climb climb(double[] u, int y, double[] s, double lambda) {
        double[] moved = new double[k];
        double[] p = new double[k];
        double[] gap = new double[k];
        double loss = 0;
        for (int step = 0; step < MAX_STEPS; step++) {
            for (int c = 0; c < k; c++) {
                moved[c] = u[c] + Vectors.dot(gram[c], s, k);
            }
            loss = loss(moved, y, p);
            for (int c = 0; c < k; c++) {
                gap[c] = p[c] - (c == y ? 1 : 0) - lambda * s[c];
            }
            if (Vectors.maxAbs(gap, k) <= SETTLED || step == MAX_STEPS - 1) {
                break;
            }
            for (int c = 0; c < k; c++) {
                s[c] = (p[c] - (c == y ? 1 : 0)) / lambda;
            }
        }
        double cost = Math.max(0, quadratic(s)) / 2;
        double bound = lambda > zz
                ? loss - lambda * cost + Math.max(0, quadratic(gap)) / (2 * (lambda - zz))
                : Double.POSITIVE_INFINITY;
        return new Climb(s, loss, cost, bound);
    }

    /** s . G s */
    private double quadratic(double[] s) {
        double sum = 0;
        for (int c = 0; c < k; c++) {
            sum += s[c] * Vectors.dot(gram[c], s, k);
        }
        return sum;
    }

    private double byPairs(double[] u, int y, double lambda) {
        double most = Double.NEGATIVE_INFINITY;
        double[] heights = new double[k];
        for (int c = 0; c < k; c++) {
            heights[c] = c == y ? Double.NEGATIVE_INFINITY : u[c] - u[y] + apart[y][c] / (2 * lambda);
            most = Math.max(most, heights[c]);
        }
        double total = 0;
        for (int c = 0; c < k; c++) {
            total += c == y ? 0 : Logistic.exp(heights[c] - most);
        }
        double largest = Double.NEGATIVE_INFINITY;
        double[] terms = new double[k];
        for (int c = 0; c < k; c++) {
            double log = heights[c] - most - StrictMath.log(total);
            terms[c] = c == y ? Double.NEGATIVE_INFINITY : log + logistic(u[c] - u[y] - log, apart[y][c], lambda);
            largest = Math.max(largest, terms[c]);
        }
        double sum = 0;
        for (int c = 0; c < k; c++) {
            sum += c == y ? 0 : Logistic.exp(terms[c] - largest);
        }
        return largest + StrictMath.log(sum);
    }

    /** phi_lambda of log(1 + e^a) from a, bracket included. */
    private static double logistic(double a, double n, double lambda) {
        Move move = LOGISTIC.worstMove(a, 0, n, lambda);
        double s = move.length();
        double gain = Logistic.softplus(a + s * n) - lambda * s * (s * n) / 2;
        return gain + lambda * move.bracket() * (move.bracket() * n) / 2;
    }
}
