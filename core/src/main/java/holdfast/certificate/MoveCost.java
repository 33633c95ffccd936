package holdfast.certificate;

import holdfast.Check;
import holdfast.math.Vectors;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.Arrays;

/**
 * What it costs to move a row x to z, in units of the scaled features: c(z, x) = (1/2) sum over i of a_i (z_i - x_i)^2. The
 * price a_i of a feature is above 0; a feature with an infinite price never moves.
 *
 * <p>With A = diag(a), a score w . x changes most cheaply along A^-1 w: by d at the cost d^2/(2 n), n = w . A^-1 w. Budgets per
 * row in other norms measure the same moves, ||A^(1/2) (z - x)||_p &lt;= q.
 */
public final class MoveCost {
    /** Every feature costs the same: c = (1/2)||z - x||^2. */
    public static final MoveCost EQUAL = new MoveCost(null);

    /** Null if all are 1. */
    private final double[] prices;

    private MoveCost(double[] prices) {
        this.prices = prices;
    }

    /**
     * Creates a cost with one price per feature.
     *
     * @throws holdfast.InputException if a price is not above 0, or all are infinite
     */
    public static MoveCost of(double... prices) {
        for (int i = 0; i < prices.length; i++) {
            Check.that(prices[i] > 0, "the price of feature %d must be > 0, got %s", i + 1, prices[i]);
        }
        Check.that(
                Arrays.stream(prices).anyMatch(Double::isFinite),
                "a cost that moves nothing: at least one of the %d features must have a finite price",
                prices.length);
        return new MoveCost(prices.clone());
    }

    /** Returns the price of a feature. */
    public double price(int feature) {
        return prices == null ? 1 : prices[feature];
    }

    /** Returns c(z, x). */
    public double cost(double[] z, double[] x) {
        double[] terms = new double[x.length];
        for (int i = 0; i < terms.length; i++) {
            double by = z[i] - x[i];
            terms[i] = by == 0 ? 0 : price(i) * by * by;
        }
        return Vectors.sum(terms, terms.length) / 2;
    }

    /** Returns A^-1 w, the direction in which w . x grows most for its cost. */
    double[] along(double[] w) {
        double[] along = w.clone();
        for (int i = 0; prices != null && i < along.length; i++) {
            along[i] /= prices[i];
        }
        return along;
    }

    /** Returns v . A^-1 w. */
    double dot(double[] v, double[] w) {
        return Vectors.dot(v, along(w), v.length);
    }

    /** Returns how much w . x changes at most if ||A^(1/2) (z - x)||_p &lt;= 1. */
    double dual(Norm norm, double[] w) {
        double[] scaled = w.clone();
        for (int i = 0; prices != null && i < scaled.length; i++) {
            scaled[i] /= Math.sqrt(prices[i]);
        }
        return switch (norm) {
            case L1 -> Vectors.maxAbs(scaled, scaled.length);
            case L2 -> Vectors.norm(scaled);
            case LINF -> Vectors.sum(Arrays.stream(scaled).map(Math::abs).toArray(), scaled.length);
        };
    }

    boolean equalPrices() {
        return prices == null || Arrays.stream(prices).allMatch(price -> price == 1);
    }

    void requireFits(int features) {
        Check.that(
                prices == null || prices.length == features,
                "there must be one price for each of %d features, got %d",
                features,
                prices == null ? 0 : prices.length);
    }
}
