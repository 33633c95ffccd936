package holdfast.attack;

import holdfast.aggregate.Mean;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.List;

/**
 * The honest updates as a cloud of points. Distances and projections are in units of 2^exponent, in which every element
 * is at most 1, so that no square overflows and none that matters underflows.
 */
record Cloud(List<WorkerUpdate> updates, double[] mean, int exponent) {

    static Cloud of(AttackContext context) {
        List<WorkerUpdate> updates = context.honest();
        double largest = 0;
        for (WorkerUpdate update : updates) {
            largest = Math.max(largest, Vectors.maxAbs(update.vector(), update.vector().length));
        }
        return new Cloud(updates, Mean.of(updates), Math.getExponent(largest) + 1);
    }

    int size() {
        return updates.size();
    }

    double[] inUnits(double[] vector) {
        return Vectors.scaled(Math.scalb(1.0, -exponent), vector);
    }

    double inUnits(double length) {
        return Math.scalb(Math.min(length, Double.MAX_VALUE), -exponent);
    }

    /** g_i - mean, in units. */
    double[] fromMean(int i) {
        double[] gap = inUnits(updates.get(i).vector());
        Vectors.addScaled(gap, -1, inUnits(mean), gap.length);
        return gap;
    }

    /** ||g_i - g_j||^2, in units. */
    double squaredDistance(int i, int j) {
        double[] gap = inUnits(updates.get(i).vector());
        Vectors.addScaled(gap, -Math.scalb(1.0, -exponent), updates.get(j).vector(), gap.length);
        return Vectors.dot(gap, gap, gap.length);
    }

    /** mean + length direction, for a length in units. */
    double[] meanPlus(double length, double[] direction) {
        double[] point = inUnits(mean);
        Vectors.addScaled(point, length, direction, point.length);
        for (int i = 0; i < point.length; i++) {
            point[i] = Math.scalb(point[i], exponent);
        }
        return point;
    }

    /** The standard deviation of each coordinate, sqrt(sum (x - mean)^2 / (n-1)); 0 if n = 1. */
    double[] deviation() {
        double[] sums = Tree.reduce(
                size(),
                i -> {
                    double[] gap = fromMean(i);
                    for (int c = 0; c < gap.length; c++) {
                        gap[c] *= gap[c];
                    }
                    return gap;
                },
                Vectors::add);
        for (int c = 0; c < sums.length; c++) {
            sums[c] = Math.scalb(Math.sqrt(sums[c] / Math.max(1, size() - 1)), exponent);
        }
        return sums;
    }

    /** u, the direction of the mean; the first axis if the mean is 0, where any direction is as good. */
    double[] heading() {
        double[] u = Vectors.unit(mean);
        if (Vectors.maxAbs(u, u.length) == 0) {
            u[0] = 1;
        }
        return u;
    }

    /** {@code <v, u>} for a unit vector u; infinite only if the result is above the largest double. */
    static double along(double[] v, double[] u) {
        int exponent = Math.getExponent(Vectors.maxAbs(v, v.length));
        double[] near = new double[v.length];
        for (int i = 0; i < near.length; i++) {
            near[i] = Math.scalb(v[i], -exponent);
        }
        return Math.scalb(Vectors.dot(near, u, u.length), exponent);
    }
}
