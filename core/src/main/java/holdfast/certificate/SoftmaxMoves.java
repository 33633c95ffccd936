package holdfast.certificate;

import holdfast.Check;
import holdfast.math.Logistic;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearModel.Move;
import holdfast.model.LogisticRegression;
import holdfast.objective.WeightedL2;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

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
 *
 * <p>Where categories of some columns change as a whole: a change to which no score grows over u_y by more than lambda times its
 * price is not worth it, because the loss grows by no more. If few combinations are left, each is bounded as above, less lambda
 * times its prices, and the largest bound counts. Else phi_c includes the changes of categories, exactly as in {@link MixedMoves} with
 * the gains of u_c - u_y, which bounds phi_lambda in the same way; and good moves are found by turns: the best categories for given
 * moves of the other features, and the best moves for given categories.
 */
final class SoftmaxMoves implements WorstMoves {
    private static final int MAX_STEPS = 200;
    /** So many combinations of categories are bounded one by one. */
    private static final int MAX_COMBINATIONS = 32;
    /** How often categories and other features take turns. */
    private static final int MAX_TURNS = 10;
    /** A change of a probability that ends the ascent. */
    private static final double SETTLED = 1e-6;
    /** What ||grad||^2/(2 (lambda - L_zz)) may be, so that the other bound is not worth its time. */
    private static final double SHARP = 1e-9;

    private static final LogisticRegression LOGISTIC = new LogisticRegression(false);
    private static final double ROUNDING = 0x1p-46;
    private static final int[] NO_CHANGES = {};

    private final double[][] along;
    private final double[][] gram;
    private final double[][] apart;
    private final double zz;
    private final ScoredRows rows;
    private final ClassGains gains;
    private final int k;

    /**
     * @param w the weights of each class
     * @param cost of features that move by any amount
     * @param gains of categories that change as a whole
     */
    SoftmaxMoves(double[][] w, WeightedL2 cost, ScoredRows rows, ClassGains gains) {
        this.rows = rows;
        this.gains = gains;
        k = w.length;
        along = new double[k][];
        gram = new double[k][k];
        apart = new double[k][k];
        double most = 0;
        // Losses depend on differences of scores alone; what all classes share would only round these.
        double[][] relative = Arrays.stream(w).map(double[]::clone).toArray(double[][]::new);
        for (double[] own : relative) {
            Vectors.addScaled(own, -1, w[0], own.length);
        }
        for (int a = 0; a < k; a++) {
            along[a] = cost.along(relative[a]);
            for (int b = 0; b < k; b++) {
                gram[a][b] = cost.dot(relative[a], relative[b]);
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
        int[][] categories = new int[count][];
        int pieces = (count + ScoredRows.TOGETHER - 1) / ScoredRows.TOGETHER;
        Threads.here().each(pieces, piece -> {
            int to = Math.min(count, (piece + 1) * ScoredRows.TOGETHER);
            for (int j = piece * ScoredRows.TOGETHER; j < to; j++) {
                Climb best = climb(j, lambda);
                categories[j] = best.categories;
                bounds[j] = best.bound;
                losses[j] = best.loss;
                costs[j] = best.cost;
                s[j] = best.s;
            }
        });
        return new Moves(bounds, losses, costs, new Displacement() {
            @Override
            public void apply(int row, double[] x) {
                gains.put(categories[row], x);
                for (int c = 0; c < k; c++) {
                    Vectors.addScaled(x, s[row][c], along[c], x.length);
                }
            }

            @Override
            public int[] categories(int row) {
                return categories[row];
            }
        });
    }

    /** A move, and a bound on phi_lambda. */
    private record Climb(double[] s, double loss, double cost, double bound, int[] categories) {
        double gain(double lambda) {
            return loss - lambda * cost;
        }

        Climb after(int[] changed, double paid, double lambda) {
            return new Climb(s, loss, cost + paid, bound - lambda * paid, changed);
        }

        Climb boundedBy(double limit) {
            return new Climb(s, loss, cost, limit, categories);
        }
    }

    private Climb climb(int row, double lambda) {
        double[] u = Arrays.copyOfRange(rows.scores(), row * k, (row + 1) * k);
        int y = (int) rows.labels()[row];
        if (gains.columns() == 0) {
            return climb(u, y, lambda);
        }
        List<int[]> combinations = combinations(row, y, lambda);
        if (combinations.isEmpty()) {
            return rounded(search(row, u, y, lambda).boundedBy(byPairs(gains, row, u, y, lambda)), u, lambda);
        }
        Climb best = null;
        double limit = Double.NEGATIVE_INFINITY;
        for (int[] categories : combinations) {
            Climb next = climb(gains.changed(row, categories, u), y, lambda)
                    .after(categories, gains.paid(categories), lambda);
            limit = Math.max(limit, next.bound);
            best = best == null || next.gain(lambda) > best.gain(lambda) ? next : best;
        }
        return rounded(best.boundedBy(limit), u, lambda);
    }

    /** Returns the combinations of categories that may be worth their prices; none if they are too many. */
    private List<int[]> combinations(int row, int y, double lambda) {
        List<int[]> all = new ArrayList<>(List.of(gains.stay()));
        for (int g = 0; g < gains.columns(); g++) {
            List<int[]> before = List.copyOf(all);
            for (int category = 0; category < gains.categories(g); category++) {
                if (gains.bestOfClasses(row, g, category, y) <= lambda * gains.price(g)) {
                    continue;
                }
                if (all.size() + before.size() > MAX_COMBINATIONS) {
                    return List.of();
                }
                for (int[] other : before) {
                    int[] next = other.clone();
                    next[g] = category;
                    all.add(next);
                }
            }
        }
        return all;
    }

    /** Finds a good move by turns, from where the row is and from the changes that raise one class most. */
    private Climb search(int row, double[] u, int y, double lambda) {
        int next = y == 0 ? 1 : 0;
        for (int c = 0; c < k; c++) {
            next = c != y && height(gains, row, u, c, y, lambda) > height(gains, row, u, next, y, lambda) ? c : next;
        }
        double[] towards = new double[k];
        towards[next] = 1 / lambda;
        towards[y] = -1 / lambda;
        Climb one = search(row, u, y, lambda, new double[k]);
        Climb other = search(row, u, y, lambda, towards);
        return other.gain(lambda) > one.gain(lambda) ? other : one;
    }

    private Climb search(int row, double[] u, int y, double lambda, double[] start) {
        double[] s = start;
        int[] categories = gains.stay();
        Climb best = null;
        for (int turn = 0; turn < MAX_TURNS; turn++) {
            int[] chosen = chosen(row, u, y, lambda, s, categories);
            if (best != null && Arrays.equals(chosen, categories)) {
                break;
            }
            categories = chosen;
            Climb found = climb(gains.changed(row, categories, u), y, s.clone(), lambda)
                    .after(categories, gains.paid(categories), lambda);
            best = best == null || found.gain(lambda) > best.gain(lambda) ? found : best;
            s = found.s;
        }
        return best;
    }

    /** Returns the best category of one column after the other, for given moves of the other features. */
    private int[] chosen(int row, double[] u, int y, double lambda, double[] s, int[] from) {
        int[] chosen = from.clone();
        double[] p = new double[k];
        double[] moved = u.clone();
        for (int c = 0; c < k; c++) {
            moved[c] += Vectors.dot(gram[c], s, k);
        }
        for (int g = 0; g < chosen.length; g++) {
            int best = chosen[g];
            double most = Double.NEGATIVE_INFINITY;
            for (int category = -1; category < gains.categories(g); category++) {
                chosen[g] = category;
                double gain = loss(gains.changed(row, chosen, moved), y, p) - lambda * gains.paid(chosen);
                if (gain > most) {
                    most = gain;
                    best = category;
                }
            }
            chosen[g] = best;
        }
        return chosen;
    }

    private Climb climb(double[] u, int y, double lambda) {
        Climb best = climb(u, y, new double[k], lambda);
        if (best.bound - best.gain(lambda) <= SHARP) {
            return rounded(best, u, lambda);
        }
        double limit = Math.min(best.bound, byPairs(ClassGains.NONE, 0, u, y, lambda));
        if (!(lambda > zz)) {
            // There may be several maxima; the class that alone gains most is a good place to start from.
            double[] towards = new double[k];
            int next = nearest(u, y, lambda);
            towards[next] = 1 / lambda;
            towards[y] = -1 / lambda;
            Climb other = climb(u, y, towards, lambda);
            best = other.gain(lambda) > best.gain(lambda) ? other : best;
        }
        return rounded(best.boundedBy(limit), u, lambda);
    }

    private Climb rounded(Climb climb, double[] u, double lambda) {
        double size = climb.loss + lambda * climb.cost + Vectors.maxAbs(u, k) + gains.size() + 1;
        return climb.boundedBy(climb.bound + ROUNDING * size);
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
        return new Climb(s, loss, cost, bound, NO_CHANGES);
    }

    /** s . G s */
    private double quadratic(double[] s) {
        double sum = 0;
        for (int c = 0; c < k; c++) {
            sum += s[c] * Vectors.dot(gram[c], s, k);
        }
        return sum;
    }

    /** Returns v_c and the most that moves may add to it for their cost. */
    private double height(ClassGains changes, int row, double[] u, int c, int y, double lambda) {
        double height = u[c] - u[y] + apart[y][c] / (2 * lambda);
        for (int g = 0; g < changes.columns(); g++) {
            height += Math.max(0, changes.best(row, g, c, y) - lambda * changes.price(g));
        }
        return height;
    }

    /** @param changes none if categories stay, and the row does not count */
    private double byPairs(ClassGains changes, int row, double[] u, int y, double lambda) {
        double most = Double.NEGATIVE_INFINITY;
        double[] heights = new double[k];
        for (int c = 0; c < k; c++) {
            heights[c] = c == y ? Double.NEGATIVE_INFINITY : height(changes, row, u, c, y, lambda);
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
            terms[c] = c == y ? Double.NEGATIVE_INFINITY : log + logistic(changes, row, u, c, y, log, lambda);
            largest = Math.max(largest, terms[c]);
        }
        double sum = 0;
        for (int c = 0; c < k; c++) {
            sum += c == y ? 0 : Logistic.exp(terms[c] - largest);
        }
        return largest + StrictMath.log(sum);
    }

    /** phi_lambda of log(1 + e^a) from a = v_c - log pi_c, with the steepest changes of categories. */
    private double logistic(ClassGains changes, int row, double[] u, int c, int y, double log, double lambda) {
        double a = u[c] - u[y] - log;
        double most = logistic(a, apart[y][c], lambda);
        if (changes.columns() == 0) {
            return most;
        }
        double[] best = new double[changes.columns()];
        Arrays.setAll(best, g -> changes.best(row, g, c, y));
        int[] order = IntStream.range(0, best.length)
                .filter(g -> best[g] > lambda * changes.price(g))
                .boxed()
                .sorted(Comparator.comparingDouble(g -> -best[g] / changes.price(g)))
                .mapToInt(Integer::intValue)
                .toArray();
        double paid = 0;
        for (int g : order) {
            a += best[g];
            paid += changes.price(g);
            most = Math.max(most, logistic(a, apart[y][c], lambda) - lambda * paid);
        }
        return most;
    }

    /** phi_lambda of log(1 + e^a) from a, bracket included. */
    private static double logistic(double a, double n, double lambda) {
        Move move = LOGISTIC.worstMove(a, 0, n, lambda);
        double s = move.length();
        double gain = Logistic.softplus(a + s * n) - lambda * s * (s * n) / 2;
        return gain + lambda * move.bracket() * (move.bracket() * n) / 2;
    }
}
