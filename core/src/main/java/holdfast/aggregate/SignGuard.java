package holdfast.aggregate;

import holdfast.theory.ErrorBound;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * SignGuard (Xu, Huang, Song, Lan 2022). Takes the updates with norms from 0.1 to 3 times the median norm, keeps those
 * in the largest cluster of sign statistics, shortens them to the median norm and averages them. The statistics count
 * how many coordinates are positive, zero and negative, over all coordinates, so nothing is random.
 *
 * <p>Mean shift with a flat kernel finds the clusters: from each update's counts a window moves to the mean of the
 * counts in it until it rests. The fullest window is the cluster; among equally full ones, the one with more positive
 * signs. The window's radius is the mean over the updates of the distance within which half of them lie.
 */
public record SignGuard(int tolerated) implements Aggregator {
    private static final double SHORTEST = 0.1;
    private static final double LONGEST = 3;

    /** Maximum number of moves. A window rests after a few; rounding must not keep one moving for ever. */
    private static final int STEPS = 300;

    public SignGuard {
        Aggregator.checkTolerated("signguard", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        List<WorkerUpdate> updates = round.updates();
        double[] norms = WorkerUpdate.comparableNorms(updates, round.threads());
        double[] sorted = norms.clone();
        Arrays.sort(sorted);
        // The upper median: a majority of honest updates bounds it, and some update has it.
        double median = sorted[sorted.length / 2];
        int[] usual = IntStream.range(0, norms.length)
                .filter(i -> norms[i] >= SHORTEST * median && norms[i] / LONGEST <= median)
                .toArray();
        int[][] counts = Arrays.stream(usual)
                .mapToObj(i -> signs(updates.get(i).vector()))
                .toArray(int[][]::new);
        int[] kept = Arrays.stream(largestCluster(counts)).map(i -> usual[i]).toArray();
        double[] factors = Arrays.stream(kept)
                .mapToDouble(i -> norms[i] > median ? median / norms[i] : 1)
                .toArray();
        int[] ids = Arrays.stream(kept).map(i -> updates.get(i).worker()).toArray();
        return new Aggregate(
                Mean.divided(
                        Arrays.stream(kept).mapToObj(updates::get).toList(), factors, kept.length, round.threads()),
                ids,
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "dropped %s: %d by norm, %d by signs; norms up to %.4g times the median",
                        Arrays.toString(round.sendersBut(ids)),
                        norms.length - usual.length,
                        usual.length - kept.length,
                        sorted[sorted.length - 1] / median));
    }

    private static int[] signs(double[] vector) {
        int[] counts = new int[3];
        for (double x : vector) {
            counts[1 - (int) Math.signum(x)]++;
        }
        return counts;
    }

    /**
     * Returns the indices of the points in the fullest resting window. Sums of counts are exact and distances are
     * summed in order of size, so the order of the points does not matter.
     */
    static int[] largestCluster(int[][] points) {
        double radius = radius(points);
        int[] best = {};
        double[] bestCentre = {};
        for (int[] start : points) {
            double[] centre = Arrays.stream(start).asDoubleStream().toArray();
            int[] inside = inside(points, centre, radius);
            int[] before = {};
            for (int step = 0; step < STEPS && !Arrays.equals(inside, before); step++) {
                before = inside;
                centre = mean(points, inside);
                inside = inside(points, centre, radius);
            }
            if (inside.length > best.length || inside.length == best.length && Arrays.compare(centre, bestCentre) > 0) {
                best = inside;
                bestCentre = centre;
            }
        }
        return best;
    }

    private static double radius(int[][] points) {
        double[] reach = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            double[] from = Arrays.stream(points[i]).asDoubleStream().toArray();
            reach[i] = Arrays.stream(points)
                    .mapToDouble(p -> distance(p, from))
                    .sorted()
                    .toArray()[(points.length - 1) / 2];
        }
        Arrays.sort(reach);
        double sum = 0;
        for (double r : reach) {
            sum += r;
        }
        return sum / reach.length;
    }

    private static int[] inside(int[][] points, double[] centre, double radius) {
        return IntStream.range(0, points.length)
                .filter(i -> distance(points[i], centre) <= radius)
                .toArray();
    }

    private static double[] mean(int[][] points, int[] chosen) {
        double[] mean = new double[3];
        for (int i : chosen) {
            for (int k = 0; k < 3; k++) {
                mean[k] += points[i][k];
            }
        }
        for (int k = 0; k < 3; k++) {
            mean[k] /= chosen.length;
        }
        return mean;
    }

    private static double distance(int[] point, double[] centre) {
        double squares = 0;
        for (int k = 0; k < 3; k++) {
            squares += (point[k] - centre[k]) * (point[k] - centre[k]);
        }
        return Math.sqrt(squares);
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.ofBound(
                new ErrorBound(2, 1),
                "||G - S|| <= 2 ||S|| + Delta, as G is no longer than the longest honest update; no kappa: lies of the"
                        + " same norm and signs are kept",
                "aggregate.SignGuard");
    }
}
