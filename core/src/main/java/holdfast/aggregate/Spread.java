package holdfast.aggregate;

import holdfast.math.SymmetricEigen;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The spread of weighted updates about their mean mu = sum c_i g_i / W, W = sum c_i: the dominant pair (l, v) of the
 * covariance (1/W) sum c_i (g_i - mu)(g_i - mu)^T. It is computed from the n x n Gram matrix B of the centred updates,
 * because there are far fewer updates than coordinates: K_ij = sqrt(c_i c_j) B_ij / W has the same l, and with its unit
 * vector u, &lt;v, g_i - mu&gt; = sum_j B_ij sqrt(c_j/W) u_j / sqrt(l). B itself is computed from the distances,
 * whatever the weights are.
 *
 * @param deviation sqrt(l), in the unit of the distances
 * @param scores &lt;v, g_i - mu&gt;^2 as a share of the largest; 0 for updates of weight 0, and for all if none
 *     deviates
 */
record Spread(double deviation, double[] scores) {
    /**
     * @param distances of all pairs
     * @param weights one per update, from 0 to 1, not all 0
     */
    static Spread of(double[][] distances, double[] weights) {
        int[] counting =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        int n = counting.length;
        double total = Vectors.sum(weights, weights.length);
        double[] shares =
                Arrays.stream(counting).mapToDouble(i -> weights[i] / total).toArray();
        Centred centred = Centred.of(distances, counting, shares);
        double[][] weighted = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                weighted[i][j] = Math.sqrt(shares[i]) * Math.sqrt(shares[j]) * centred.gram[i][j];
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(weighted);
        double[] u = eigen.vectors()[0];
        double[] projections = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                projections[i] += centred.gram[i][j] * Math.sqrt(shares[j]) * u[j];
            }
        }
        double[] scores = new double[weights.length];
        double largest = Vectors.maxAbs(projections, n);
        if (!(largest > 0)) {
            return new Spread(0, scores);
        }
        for (int i = 0; i < n; i++) {
            double share = projections[i] / largest;
            scores[counting[i]] = share * share;
        }
        return new Spread(centred.root(eigen.values()[0]), scores);
    }

    /** Returns c_i (1 - tau_i / max tau): the update farthest along v loses all its weight. */
    double[] filtered(double[] weights) {
        double[] out = new double[weights.length];
        Arrays.setAll(out, i -> weights[i] * (1 - scores[i]));
        return out;
    }

    /**
     * The Gram matrix of some updates less their weighted mean, in units of 4^exponent: B_ij = -(D_ij - r_i - r_j +
     * s)/2, D the squared distances, r their weighted row means, s the weighted mean of these (Torgerson 1952). A far
     * update causes no cancellation among the others.
     */
    record Centred(double[][] gram, int exponent) {
        /** @param shares the weights of the members, which sum to 1 */
        static Centred of(double[][] distances, int[] members, double[] shares) {
            int n = members.length;
            double max = 0;
            for (int i : members) {
                for (int j : members) {
                    max = Math.max(max, distances[i][j]);
                }
            }
            int exponent = Math.max(-1000, Math.getExponent(max));
            double unit = Math.scalb(1.0, -exponent);
            double[][] gram = new double[n][n];
            double[] means = new double[n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double distance = distances[members[i]][members[j]] * unit;
                    gram[i][j] = distance * distance;
                }
                means[i] = Vectors.dot(gram[i], shares, n);
            }
            double mean = Vectors.dot(means, shares, n);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    gram[i][j] = (means[i] + means[j] - gram[i][j] - mean) / 2;
                }
            }
            return new Centred(gram, exponent);
        }

        /** Returns the square root of an eigenvalue, in the unit of the distances. */
        double root(double eigenvalue) {
            return Math.scalb(Math.sqrt(Math.max(0, eigenvalue)), exponent);
        }
    }
}
