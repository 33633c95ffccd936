package holdfast.objective;

import holdfast.Check;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import java.util.Arrays;
import java.util.List;

/**
 * The paper's cost with a price for every feature, in units of the scaled features: c(z, x) = (1/2) sum over i of a_i (z_i -
 * x_i)^2, a_i &gt; 0. A feature with an infinite price never moves.
 *
 * <p>With A = diag(a), c = (1/2)||z - x||_A^2: in the norm ||v||_A = sqrt(v . A v) it is 1-strongly convex and 1-smooth, as
 * Assumption 2 asks, and everything about {@link SquaredL2} holds with ||.||_A for moves and A^-1 for slopes. Infinite prices
 * restrict this to the features that can move. An ascent steps along A^-1 grad, a score w . x changes most cheaply along A^-1
 * w: by d at the cost d^2/(2 n), n = w . A^-1 w. Budgets per row in other norms measure the same moves, ||A^(1/2) (z - x)||_p
 * &lt;= q.
 */
public final class WeightedL2 implements PricedCost {
    /** Every feature costs the same: c = (1/2)||z - x||^2. */
    public static final WeightedL2 EQUAL = new WeightedL2(null);

    /** Null if all are 1. */
    private final double[] prices;

    private WeightedL2(double[] prices) {
        this.prices = prices;
    }

    /**
     * Creates a cost with one price per feature.
     *
     * @throws holdfast.InputException if a price is not above 0, or all are infinite
     */
    public static WeightedL2 of(double... prices) {
        Check.that(
                Arrays.stream(prices).anyMatch(price -> !Double.isInfinite(price)),
                "a cost that moves nothing: at least one of the %d features must have a finite price",
                prices.length);
        return ofMany(prices);
    }

    /** Creates a cost under which perhaps nothing moves. */
    static WeightedL2 ofMany(double[] prices) {
        for (int i = 0; i < prices.length; i++) {
            Check.that(prices[i] > 0, "the price of feature %d must be > 0, got %s", i + 1, prices[i]);
        }
        return new WeightedL2(prices.clone());
    }

    @Override
    public WeightedL2 features() {
        return this;
    }

    @Override
    public List<MixedCost.Change> changes() {
        return List.of();
    }

    /** Returns this cost, or its like for {@link SquaredL2}; null for any other. */
    static WeightedL2 of(TransportCost cost) {
        return cost instanceof SquaredL2 ? EQUAL : cost instanceof WeightedL2 weighted ? weighted : null;
    }

    /** Returns the price of a feature. */
    public double price(int feature) {
        return prices == null ? 1 : prices[feature];
    }

    /** The smallest price, a: ||v|| &lt;= ||v||_A / sqrt(a) and ||v||_A^-1 &lt;= ||v|| / sqrt(a). */
    public double least() {
        return prices == null ? 1 : Arrays.stream(prices).min().orElseThrow();
    }

    /** Returns c(z, x). */
    public double cost(double[] z, double[] x) {
        return cost(z, x, 0, x.length);
    }

    @Override
    public double cost(double[] z, double[] x, int from, int columns) {
        double[] terms = new double[columns];
        for (int i = 0; i < columns; i++) {
            double by = z[from + i] - x[from + i];
            terms[i] = by == 0 ? 0 : price(i) * by * by;
        }
        return Vectors.sum(terms, columns) / 2;
    }

    @Override
    public void gradient(double[] z, double[] x, int from, int columns, double[] out) {
        for (int i = 0; i < columns; i++) {
            double by = z[from + i] - x[from + i];
            out[from + i] = by == 0 ? 0 : price(i) * by;
        }
    }

    /** {@inheritDoc} The smallest price. */
    @Override
    public double strongConvexity() {
        return least();
    }

    /** {@inheritDoc} The largest price; among the features that can move, the largest of theirs. */
    @Override
    public double smoothness() {
        return prices == null ? 1 : Arrays.stream(prices).max().orElseThrow();
    }

    @Override
    public String description() {
        return prices == null ? new SquaredL2().description() : "(1/2) sum of a_i (z_i - x_i)^2";
    }

    /** Returns A^-1 w, the direction in which w . x grows most for its cost; w itself if all prices are 1. */
    public double[] along(double[] w) {
        return prices == null ? w : along(w, 0, w.length);
    }

    /** Returns A^-1 w for weights that are a part of an array. */
    double[] along(double[] w, int from, int columns) {
        double[] along = Arrays.copyOfRange(w, from, from + columns);
        turn(along, 0, columns);
        return along;
    }

    /** Replaces the slope of one row by A^-1 times it. */
    void turn(double[] slope, int from, int columns) {
        for (int i = 0; prices != null && i < columns; i++) {
            slope[from + i] /= prices[i];
        }
    }

    /** Returns v . A^-1 w. */
    public double dot(double[] v, double[] w) {
        return Vectors.dot(v, along(w), v.length);
    }

    /** Returns ||v||_A^2 of a part of an array. */
    double squared(double[] v, int from, int columns) {
        if (prices == null) {
            return Vectors.dot(v, from, v, from, columns);
        }
        double[] scaled = new double[columns];
        for (int i = 0; i < columns; i++) {
            scaled[i] = v[from + i] == 0 ? 0 : Math.sqrt(prices[i]) * v[from + i];
        }
        return Vectors.dot(scaled, scaled, columns);
    }

    /**
     * Returns the parameters of the same model for rows A^(1/2) x: the weights of every score times A^(-1/2). What holds for them
     * under the cost (1/2)||z - x||^2 holds for theta under this one. theta itself if all prices are 1.
     */
    public double[] scaled(double[] theta, LinearScores model, int features) {
        if (prices == null) {
            return theta;
        }
        double[] scaled = theta.clone();
        for (int i = 0; i < model.weights(features); i++) {
            scaled[i] /= Math.sqrt(prices[i % features]);
        }
        return scaled;
    }

    /**
     * Returns L_zz in the norm ||.||_A.
     *
     * @param radius of the rows
     * @param label the largest |y|
     */
    public double zz(Model model, double[] theta, int features, double radius, double label) {
        return model instanceof LinearScores linear
                ? model.smoothness(scaled(theta, linear, features), features, radius, label)
                        .zz()
                : model.smoothness(theta, features, radius, label).zz() / least();
    }

    /** Returns A^(-1/2) w, the slope of w . x in A^(1/2) x. */
    public double[] scaled(double[] w) {
        double[] scaled = w.clone();
        for (int i = 0; prices != null && i < scaled.length; i++) {
            scaled[i] /= Math.sqrt(prices[i]);
        }
        return scaled;
    }

    /** Returns how many features have a price of their own; the largest number there is if all prices are 1. */
    int columns() {
        return prices == null ? Integer.MAX_VALUE : prices.length;
    }

    /** {@inheritDoc} There must be one price for each feature. */
    @Override
    public void requireFits(int features) {
        Check.that(
                prices == null || prices.length == features,
                "there must be one price for each of %d features, got %d",
                features,
                prices == null ? 0 : prices.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WeightedL2 cost && Arrays.equals(prices, cost.prices);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(prices);
    }
}
