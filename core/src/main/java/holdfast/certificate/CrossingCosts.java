package holdfast.certificate;

import holdfast.Check;
import holdfast.objective.MixedCost;
import java.util.Arrays;

/**
 * The least that a row pays to raise a linear score w . x by a margin m, where categories of some columns change as a whole: min over
 * the sums (P, G) of prices and gains of P + max(0, m - G)^2/(2 n), n = w . A^-1 w.
 *
 * <p>This is not a corner of their convex hull: changes that overshoot the margin, or fall short of it, may be cheaper together than
 * the steepest ones. So all sums are kept that no other sum beats in both price and gain (Nemhauser, Ullmann 1969) and that cost less
 * than the best found. For most prices they are few; columns of the same price have at most one for each number of changes.
 */
final class CrossingCosts {
    /** Keeps time and memory bounded: with prices all different, up to 2^columns sums may remain. */
    private static final int MAX_SUMS = 100_000;

    private final MixedCost cost;
    private final double n;

    /** @param w what the score multiplies rows by */
    CrossingCosts(MixedCost cost, double[] w) {
        this.cost = cost;
        n = cost.features().dot(w, w);
    }

    /**
     * Returns the least cost.
     *
     * @param margin above 0
     * @param most by how much changing each column raises the score of the row at most
     */
    double least(double margin, double[] most) {
        double best = rest(margin);
        double[] prices = {0};
        double[] gains = {0};
        for (int c = 0; c < most.length; c++) {
            double gain = most[c];
            double price = cost.changes().get(c).price();
            if (!(gain > 0) || price >= best) {
                continue;
            }
            double[] nextPrices = new double[2 * prices.length];
            double[] nextGains = new double[nextPrices.length];
            int count = 0;
            // Both lists ascend; a sum is kept if it gains more than every cheaper one.
            int with = 0;
            int without = 0;
            double largest = Double.NEGATIVE_INFINITY;
            while (with < prices.length) {
                boolean old = without < prices.length && prices[without] <= prices[with] + price;
                double p = old ? prices[without] : prices[with] + price;
                double g = old ? gains[without++] : gains[with++] + gain;
                if (g > largest && p < best) {
                    largest = g;
                    nextPrices[count] = p;
                    nextGains[count++] = g;
                    best = Math.min(best, p + rest(margin - g));
                }
            }
            Check.that(
                    count <= MAX_SUMS,
                    "--prices: too many different sums of prices of columns that change as a whole; use fewer different prices");
            prices = Arrays.copyOf(nextPrices, count);
            gains = Arrays.copyOf(nextGains, count);
        }
        return best;
    }

    /** Returns what the other features pay for the rest of a margin. */
    private double rest(double margin) {
        if (margin <= 0) {
            return 0;
        }
        return n > 0 ? margin * margin / (2 * n) : Double.POSITIVE_INFINITY;
    }
}
