package holdfast.objective;

import holdfast.Check;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The cost where some columns hold categories that change as a whole: c(z, x) = (1/2) sum over the other features of a_i (z_i -
 * x_i)^2 + sum of p_g over the columns g whose category is another one in z. A column never moves by a fraction: anything but the
 * row's own features and those of a category costs infinitely much. So a row may keep what stands for a missing cell, with its
 * mark, and give it up for a category; no cell becomes missing.
 *
 * <p>About Assumption 2: on the features that move by any amount, for given categories, the cost is 1-strongly convex and 1-smooth
 * in its own norm, as {@link WeightedL2} is. A change of a category is a jump, with neither: c has no gradient there, so nothing
 * bounds L_c, and it is not convex. phi is then a maximum of smooth functions and not smooth itself, and Lemma 1 is void.
 *
 * @param features what moving the other features costs; infinite for those of the columns
 * @param changes the columns, at least one
 */
public record MixedCost(WeightedL2 features, List<Change> changes) implements PricedCost {
    /**
     * A column that changes as a whole.
     *
     * @param price p_g
     */
    public record Change(CategoryColumn column, double price) {
        public Change {
            Check.that(
                    price > 0 && Double.isFinite(price),
                    "the price of changing %s must be finite and > 0, got %s",
                    column.name(),
                    price);
        }
    }

    public MixedCost {
        changes = changes.stream()
                .sorted(Comparator.comparingInt(change -> change.column().first()))
                .toList();
        Check.that(!changes.isEmpty(), "a mixed cost needs a column that changes as a whole");
        int end = 0;
        for (Change change : changes) {
            CategoryColumn column = change.column();
            Check.that(
                    column.first() >= end && column.end() <= features.columns(),
                    "column %s must begin at feature %d or later and end at %s at most, got %d and %d",
                    column.name(),
                    end,
                    features.columns(),
                    column.first(),
                    column.end());
            end = column.end();
            for (int i = column.first(); i < end; i++) {
                Check.that(
                        features.price(i) == Double.POSITIVE_INFINITY,
                        "column %s changes as a whole, so its features must have no price of their own, got %s",
                        column.name(),
                        features.price(i));
            }
        }
    }

    /**
     * Creates the cost where features of columns that change as a whole, and their marks, do not move by themselves.
     *
     * @param prices of all features; those of the columns do not count
     */
    public static MixedCost of(double[] prices, List<Change> changes) {
        double[] own = prices.clone();
        for (Change change : changes) {
            CategoryColumn column = change.column();
            Arrays.fill(
                    own,
                    Math.min(own.length, column.first()),
                    Math.min(own.length, column.end()),
                    Double.POSITIVE_INFINITY);
        }
        return new MixedCost(WeightedL2.ofMany(own), changes);
    }

    @Override
    public void requireFits(int columns) {
        features.requireFits(columns);
    }

    @Override
    public double cost(double[] z, double[] x, int from, int columns) {
        double paid = 0;
        for (Change change : changes) {
            CategoryColumn column = change.column();
            if (!column.same(z, x, from)) {
                paid += column.isCategory(z, from) ? change.price() : Double.POSITIVE_INFINITY;
            }
        }
        return features.cost(rest(z, x, from, columns), Arrays.copyOfRange(x, from, from + columns), 0, columns) + paid;
    }

    /** Returns z with the columns of x. */
    private double[] rest(double[] z, double[] x, int from, int columns) {
        double[] rest = Arrays.copyOfRange(z, from, from + columns);
        for (Change change : changes) {
            int first = change.column().first();
            System.arraycopy(x, from + first, rest, first, change.column().width());
        }
        return rest;
    }

    /** {@inheritDoc} Of the part that has one: 0 in the features of the columns. */
    @Override
    public void gradient(double[] z, double[] x, int from, int columns, double[] out) {
        double[] slope = new double[columns];
        features.gradient(rest(z, x, from, columns), Arrays.copyOfRange(x, from, from + columns), 0, columns, slope);
        System.arraycopy(slope, 0, out, from, columns);
    }

    /** {@inheritDoc} None, because changing a category is a jump. */
    @Override
    public double strongConvexity() {
        return 0;
    }

    /** {@inheritDoc} None, because changing a category is a jump. */
    @Override
    public double smoothness() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public String description() {
        return "(1/2) sum of a_i (z_i - x_i)^2 + the price of every category that changes";
    }
}
