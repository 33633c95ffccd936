package holdfast.aggregate;

import holdfast.math.Vectors;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;

/**
 * Euclidean distances in a unit of their own: 1, or 2^128 if coordinates are so large that distances, or sums over all
 * pairs of them, could overflow; no distance above 1e-250 loses a bit to it. Sums of squares are left to
 * {@link Vectors#norm}, which scales by what it sums, so that one huge update spoils nobody else's.
 */
record Distances(double unit) {
    private static final double LARGE = 0x1p900;
    private static final double UNIT = 0x1p128;

    static Distances among(List<Vote> votes) {
        return new Distances(
                votes.stream().anyMatch(v -> Vectors.maxAbs(v.vector(), v.vector().length) > LARGE) ? UNIT : 1);
    }

    /** From one point, no larger than the votes, to each vote. */
    double[] from(double[] point, List<Vote> votes) {
        double[] difference = new double[point.length];
        return votes.stream()
                .mapToDouble(v -> Vectors.norm(difference(point, v.vector(), difference)))
                .toArray();
    }

    /** Between any two votes. */
    double[][] matrix(List<Vote> votes) {
        double[] difference = new double[votes.get(0).vector().length];
        return matrix(votes, (a, b) -> Vectors.norm(difference(a, b, difference)));
    }

    /** Between any two votes, in these coordinates. */
    double[][] matrix(List<Vote> votes, int[] coordinates) {
        double[] difference = new double[coordinates.length];
        return matrix(votes, (a, b) -> {
            for (int k = 0; k < difference.length; k++) {
                difference[k] = b[coordinates[k]] / unit - a[coordinates[k]] / unit;
            }
            return Vectors.norm(difference);
        });
    }

    private static double[][] matrix(List<Vote> votes, ToDoubleBiFunction<double[], double[]> distance) {
        int n = votes.size();
        double[][] matrix = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                matrix[i][j] = distance.applyAsDouble(
                        votes.get(i).vector(), votes.get(j).vector());
                matrix[j][i] = matrix[i][j];
            }
        }
        return matrix;
    }

    /** out = (b - a) / unit. */
    double[] difference(double[] a, double[] b, double[] out) {
        double scale = 1 / unit;
        for (int k = 0; k < out.length; k++) {
            out[k] = b[k] * scale - a[k] * scale;
        }
        return out;
    }

    /** Indices of the {@code count} smallest, ascending; of equal distances the lower index is nearer. */
    static int[] nearest(double[] distances, int count) {
        return IntStream.range(0, distances.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> distances[i]))
                .limit(count)
                .mapToInt(i -> i)
                .sorted()
                .toArray();
    }
}
