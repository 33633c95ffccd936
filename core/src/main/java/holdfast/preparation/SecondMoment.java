package holdfast.preparation;

import holdfast.Seed;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The matrix sum w_j k(y_j) x_j x_j^T over rows with weights w_j and labels y_j. With an intercept, a 1 is appended to
 * x. The matrix is never formed: only its products with vectors are computed, in O(rows x columns).
 *
 * @param factor k
 */
public record SecondMoment(Rows rows, LabelFunction factor, boolean intercept) {
    private static final int POWER_STEPS = 60;
    private static final int SHARED_STEPS = 8;

    public double[] times(double[] v) {
        LabelFunction k = factor;
        return rows.reduce(block -> block.timesSecondMoment(k, v), Vectors::add);
    }

    /**
     * Returns the largest eigenvalue divided by the number of rows, by power iteration from a start drawn from the
     * seed.
     */
    public double largestEigenvalue(Seed seed) {
        double[] v = start(seed);
        for (int step = 0; step < POWER_STEPS; step++) {
            double length = Vectors.norm(v);
            if (length == 0) {
                return 0;
            }
            v = times(Vectors.scaled(1 / length, v));
        }
        return Vectors.norm(v) / rows.count();
    }

    private double[] start(Seed seed) {
        int d = rows.schema().features().size();
        return seed.child("power-iteration").random().gaussians(intercept ? d + 1 : d);
    }

    /**
     * Returns the {@linkplain AcrossSources#upper upper} of v^T A_i v over sources i with A_i the matrix of its rows divided by their number,
     * where a few power steps turn the shared unit vector v towards the largest eigenvector of their mean. Each step
     * leaves out the f longest of the products A_i v. So f sources of more than 2f leave the result within the range of
     * the honest sources' own.
     */
    public double curvature(Seed seed, AcrossSources across) {
        double[] v = start(seed);
        double found = 0;
        for (int step = 0; step < SHARED_STEPS; step++) {
            double length = Vectors.norm(v);
            if (length == 0) {
                return found;
            }
            double[] unit = Vectors.scaled(1 / length, v);
            List<double[]> products = bySource(unit);
            found = across.upper(products.stream()
                    .mapToDouble(product -> Vectors.dot(unit, product, unit.length))
                    .toArray());
            v = meanOfShortest(products, across.tolerated());
        }
        return found;
    }

    /** Returns A_i v for every source i. */
    private List<double[]> bySource(double[] v) {
        LabelFunction k = factor;
        return rows
                .reduceBySource(
                        block -> {
                            double[] product = block.timesSecondMoment(k, v);
                            double[] sums = Arrays.copyOf(product, v.length + 1);
                            sums[v.length] = block.rows();
                            return sums;
                        },
                        Vectors::add)
                .stream()
                .filter(Objects::nonNull)
                .map(sums -> Vectors.scaled(1 / sums[v.length], Arrays.copyOf(sums, v.length)))
                .toList();
    }

    /** Returns the mean of all vectors but the f longest; those that are not finite count as the longest. */
    private static double[] meanOfShortest(List<double[]> vectors, int f) {
        List<double[]> sorted = vectors.stream()
                .sorted(Comparator.comparingDouble(v -> Vectors.finite(v) ? Vectors.norm(v) : Double.POSITIVE_INFINITY))
                .toList();
        double[] mean = new double[vectors.get(0).length];
        int kept = Math.max(1, sorted.size() - f);
        sorted.subList(0, kept).forEach(v -> Vectors.addScaled(mean, 1.0 / kept, v, mean.length));
        return mean;
    }
}
