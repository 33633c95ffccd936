package holdfast.aggregate;

import holdfast.math.SymmetricEigen;
import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How weighted votes spread about their mean mu = sum c_i g_i / W, W = sum c_i: the dominant pair (l, v) of the covariance
 * (1/W) sum c_i (g_i - mu)(g_i - mu)^T. It comes from the n x n Gram matrix B of the centred votes, for n votes are far
 * fewer than their coordinates: K_ij = sqrt(c_i c_j) B_ij / W has the same l, and with its unit vector u, &lt;v, g_i -
 * mu&gt; = sum_j B_ij sqrt(c_j/W) u_j / sqrt(l).
 *
 * @param mean mu
 * @param deviation sqrt(l), in the unit of {@link Distances#among}
 * @param scores &lt;v, g_i - mu&gt;^2 as a share of the largest; 0 for votes of weight 0, and for all if none deviates
 */
record Spread(double[] mean, double deviation, double[] scores) {
    private static final int BLOCK = 512;

    /** The spread over all coordinates. */
    static Spread of(List<Vote> votes, double[] weights) {
        return of(
                votes, weights, IntStream.range(0, votes.get(0).vector().length).toArray());
    }

    /**
     * @param weights one per vote, from 0 to 1, not all 0
     * @param coordinates those to look at
     */
    static Spread of(List<Vote> votes, double[] weights, int[] coordinates) {
        int[] counting =
                IntStream.range(0, votes.size()).filter(i -> weights[i] > 0).toArray();
        List<double[]> vectors = new ArrayList<>();
        for (int i : counting) {
            vectors.add(votes.get(i).vector());
        }
        double[] mean = Mean.of(votes, weights);
        double[] scores = new double[votes.size()];
        Centred centred = Centred.of(vectors, mean, coordinates);
        double[][] gram = centred.gram(coordinates);
        int n = counting.length;
        double total = Vectors.sum(weights, weights.length);
        double[] roots = new double[n];
        for (int i = 0; i < n; i++) {
            roots[i] = Math.sqrt(weights[counting[i]] / total);
        }
        double[][] weighted = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                weighted[i][j] = roots[i] * roots[j] * gram[i][j];
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(weighted);
        double[] u = eigen.vectors()[0];
        double[] projections = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                projections[i] += gram[i][j] * roots[j] * u[j];
            }
        }
        double largest = Vectors.maxAbs(projections, n);
        if (!(largest > 0)) {
            return new Spread(mean, 0, scores);
        }
        for (int i = 0; i < n; i++) {
            double share = projections[i] / largest;
            scores[counting[i]] = share * share;
        }
        double unit = Distances.among(votes).unit();
        return new Spread(
                mean, Math.scalb(Math.sqrt(eigen.values()[0]), centred.exponent() - Math.getExponent(unit)), scores);
    }

    /** c_i (1 - tau_i / max tau): the vote farthest along v has no weight any more. */
    double[] filtered(double[] weights) {
        double[] out = new double[weights.length];
        Arrays.setAll(out, i -> weights[i] * (1 - scores[i]));
        return out;
    }

    /**
     * Vectors less their mean, never all stored. Two powers of two bring the largest difference between 1/2 and 1: the
     * first keeps differences of huge values finite, the second their squares from vanishing.
     */
    private record Centred(List<double[]> vectors, double[] mean, double before, double after, int exponent) {
        static Centred of(List<double[]> vectors, double[] mean, int[] coordinates) {
            double max = 0;
            for (double[] v : vectors) {
                for (int k : coordinates) {
                    max = Math.max(max, Math.abs(v[k]));
                }
            }
            int first = exponent(max);
            Centred once = new Centred(vectors, mean, Math.scalb(1.0, -first), 1, first);
            max = 0;
            for (double[] v : vectors) {
                for (int k : coordinates) {
                    max = Math.max(max, Math.abs(once.difference(v, k)));
                }
            }
            int second = exponent(max);
            return new Centred(vectors, mean, once.before, Math.scalb(1.0, -second), first + second);
        }

        /** One for which both it and its negative are exponents of a double. */
        private static int exponent(double max) {
            return Math.max(-1000, Math.getExponent(max) + 1);
        }

        private double difference(double[] vector, int coordinate) {
            return (vector[coordinate] * before - mean[coordinate] * before) * after;
        }

        /** Inner products of all pairs, block by block of coordinates. */
        double[][] gram(int[] coordinates) {
            int n = vectors.size();
            double[][] gram = new double[n][n];
            double[][] block = new double[n][BLOCK];
            for (int from = 0; from < coordinates.length; from += BLOCK) {
                int length = Math.min(BLOCK, coordinates.length - from);
                for (int i = 0; i < n; i++) {
                    for (int k = 0; k < length; k++) {
                        block[i][k] = difference(vectors.get(i), coordinates[from + k]);
                    }
                }
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j <= i; j++) {
                        gram[i][j] += Vectors.dot(block[i], block[j], length);
                        gram[j][i] = gram[i][j];
                    }
                }
            }
            return gram;
        }
    }
}
