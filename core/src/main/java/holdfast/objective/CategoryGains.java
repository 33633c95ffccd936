package holdfast.objective;

import holdfast.data.Block;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import java.util.Arrays;
import java.util.List;

/**
 * By how much changes of categories raise or lower the linear score w . x of rows.
 *
 * <p>The worst case of a score u whose loss l is convex is convex in it too: V(u) = sup over s of l(u + s n) - lambda s^2 n/2. Where
 * categories change as well, it is the largest V(u + G) - lambda P, over the sums (P, G) of the prices and gains of changes. This
 * is convex in (P, G) and falls with P, so it is largest at a corner of the convex hull of all sums, on its side of small P. With
 * one price per column, only the category that raises the score most and the one that lowers it most matter, and the corners are
 * the sums of the steepest changes, by gain per price, upwards and downwards: at most twice as many as there are columns, instead of
 * all combinations.
 *
 * <p>A change cannot be worth its price if the gain times the steepest slope of l in its direction is at most lambda times the
 * price, because V is no steeper than l.
 */
public final class CategoryGains {
    /** A score beyond all that rows have. */
    private static final double FAR = 0x1p500;

    private final List<MixedCost.Change> changes;
    private final int columns;
    /** The largest and the smallest score that a category of each column gives. */
    private final double[] highest;

    private final double[] lowest;
    private final int[] best;
    private final int[] worst;
    /** Of each row and column, 0 if no category does better. */
    private final double[] up;

    private final double[] down;

    private CategoryGains(List<MixedCost.Change> changes, double[] w, Block block) {
        this.changes = changes;
        columns = changes.size();
        highest = new double[columns];
        lowest = new double[columns];
        best = new int[columns];
        worst = new int[columns];
        for (int c = 0; c < columns; c++) {
            double[] scores = scores(changes.get(c).column(), w);
            for (int k = 1; k < scores.length; k++) {
                best[c] = scores[k] > scores[best[c]] ? k : best[c];
                worst[c] = scores[k] < scores[worst[c]] ? k : worst[c];
            }
            highest[c] = scores[best[c]];
            lowest[c] = scores[worst[c]];
        }
        up = new double[block.rows() * columns];
        down = new double[up.length];
        double[] own = own(changes, w, block);
        for (int at = 0; at < up.length; at++) {
            up[at] = Math.max(0, highest[at % columns] - own[at]);
            down[at] = Math.max(0, own[at] - lowest[at % columns]);
        }
    }

    /** Finds them for the rows of a block, by weights that may have more elements than a row. */
    public static CategoryGains of(List<MixedCost.Change> changes, double[] w, Block block) {
        return new CategoryGains(changes, w, block);
    }

    /** Returns what each category of a column adds to the score. */
    public static double[] scores(CategoryColumn column, double[] w) {
        double[] row = new double[column.end()];
        double[] scores = new double[column.categories()];
        for (int k = 0; k < scores.length; k++) {
            column.put(k, row, 0);
            scores[k] = Vectors.dot(row, column.first(), w, column.first(), column.width());
        }
        return scores;
    }

    /** Returns what the features of each column add to the score, row after row. */
    public static double[] own(List<MixedCost.Change> changes, double[] w, Block block) {
        int count = changes.size();
        double[] own = new double[block.rows() * count];
        double[] x = new double[block.columns()];
        for (int j = 0; j < block.rows(); j++) {
            fill(block, j, x);
            for (int c = 0; c < count; c++) {
                CategoryColumn column = changes.get(c).column();
                own[j * count + c] = Vectors.dot(x, column.first(), w, column.first(), column.width());
            }
            clear(block, j, x);
        }
        return own;
    }

    /** Copies a row without touching the zeros of a sparse one. */
    private static void fill(Block block, int row, double[] x) {
        if (block.sparse()) {
            block.nonZeros(row, (i, value) -> x[i] = value);
        } else {
            block.copyRow(row, x, 0);
        }
    }

    private static void clear(Block block, int row, double[] x) {
        if (block.sparse()) {
            block.nonZeros(row, (i, value) -> x[i] = 0);
        }
    }

    /** Returns the sum over all columns of the largest size of what they may add to a score, for bounds on rounding. */
    public static double size(List<MixedCost.Change> changes, double[] w) {
        double size = 0;
        for (MixedCost.Change change : changes) {
            CategoryColumn column = change.column();
            for (int i = 0; i < column.width(); i++) {
                size += Math.abs(w[column.first() + i])
                        * Math.max(
                                Math.abs(column.zero().get(i)),
                                Math.abs(column.one().get(i)));
            }
        }
        return size;
    }

    /** Whether no change of a category changes any score. */
    public boolean none() {
        return Vectors.maxAbs(up, up.length) == 0 && Vectors.maxAbs(down, down.length) == 0;
    }

    /**
     * What rows can become by changes of categories, one sum after the other, those of a row together.
     *
     * @param rows whose it is
     * @param counts how many of the steepest changes are made: upwards if positive, downwards if negative
     * @param gains by how much the score grows
     * @param prices of the changes
     */
    public record Sums(int[] rows, int[] counts, double[] gains, double[] prices) {}

    /** Returns the steepest slope of each row's loss in a direction, which it has at the end because it is convex. */
    private static double[] slopes(LinearModel model, double[] labels, int sign) {
        double[] far = new double[labels.length];
        Arrays.fill(far, sign * FAR);
        double[] slopes = new double[far.length];
        model.slopes(far, labels, slopes, far.length);
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] *= sign;
        }
        return slopes;
    }

    /**
     * Returns the corners that may be worth their prices, without the rows as they are.
     *
     * @param labels of the rows
     * @param lambda the price of moves
     */
    public Sums worthwhile(LinearModel model, double[] labels, double lambda) {
        int n = labels.length;
        double[] rise = slopes(model, labels, 1);
        double[] fall = slopes(model, labels, -1);
        int[] rows = new int[16];
        int[] counts = new int[16];
        double[] gains = new double[16];
        double[] prices = new double[16];
        int found = 0;
        int[] order = new int[columns];
        for (int j = 0; j < n; j++) {
            for (int sign = 1; sign >= -1; sign -= 2) {
                int several = steepest(j, sign, sign > 0 ? rise[j] : fall[j], lambda, order);
                double gain = 0;
                double price = 0;
                for (int k = 0; k < several; k++) {
                    if (found == rows.length) {
                        rows = Arrays.copyOf(rows, 2 * found);
                        counts = Arrays.copyOf(counts, 2 * found);
                        gains = Arrays.copyOf(gains, 2 * found);
                        prices = Arrays.copyOf(prices, 2 * found);
                    }
                    gain += gain(j, order[k], sign);
                    price += changes.get(order[k]).price();
                    rows[found] = j;
                    counts[found] = sign * (k + 1);
                    gains[found] = sign * gain;
                    prices[found++] = price;
                }
            }
        }
        return new Sums(
                Arrays.copyOf(rows, found),
                Arrays.copyOf(counts, found),
                Arrays.copyOf(gains, found),
                Arrays.copyOf(prices, found));
    }

    private double gain(int row, int column, int sign) {
        return (sign > 0 ? up : down)[row * columns + column];
    }

    private double steepness(int row, int column, int sign) {
        return gain(row, column, sign) / changes.get(column).price();
    }

    /** Puts the columns whose change may be worth its price into order, the steepest first, and returns how many they are. */
    private int steepest(int row, int sign, double slope, double lambda, int[] order) {
        int count = 0;
        for (int c = 0; c < columns; c++) {
            double steepness = steepness(row, c, sign);
            // Rounding is monotone, so those left out are the last ones of the order for any slope and lambda.
            if (steepness == 0 || slope * steepness <= lambda) {
                continue;
            }
            int at = count++;
            for (; at > 0 && steepness(row, order[at - 1], sign) < steepness; at--) {
                order[at] = order[at - 1];
            }
            order[at] = c;
        }
        return count;
    }

    /**
     * Returns the category that each column changes to in a row, or -1 for a column that stays.
     *
     * @param count as in {@link Sums}
     */
    public int[] categories(int row, int count) {
        int[] categories = new int[columns];
        Arrays.fill(categories, -1);
        int sign = Integer.signum(count);
        int[] order = new int[columns];
        if (count != 0) {
            steepest(row, sign, Double.POSITIVE_INFINITY, 0, order);
        }
        for (int k = 0; k < sign * count; k++) {
            categories[order[k]] = sign > 0 ? best[order[k]] : worst[order[k]];
        }
        return categories;
    }

    /** Puts categories into the columns of a row that change. */
    public static void put(List<MixedCost.Change> changes, int[] categories, double[] row, int from) {
        for (int c = 0; c < categories.length; c++) {
            if (categories[c] >= 0) {
                changes.get(c).column().put(categories[c], row, from);
            }
        }
    }
}
