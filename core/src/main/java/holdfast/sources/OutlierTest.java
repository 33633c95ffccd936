package holdfast.sources;

import holdfast.math.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Names the values that are farther from the others than the others are from each other. Source i has a statistic x_i
 * with sampling variance v_i. The null hypothesis is not that all sources are equal but that they differ as these do:
 * x_i ~ N(mu, tau^2 + v_i), with unknown mu and tau.
 *
 * <p>Value i is compared with the others alone: tau^2 by Paule and Mandel (1982), at least floor^2; mu as their mean
 * weighted by 1/(tau^2 + v); t_i = (x_i - mu) / sqrt(tau^2 + v_i + se(mu)^2), by Student's distribution with n - 2
 * degrees of freedom, times n. The farthest value is removed and the test repeated, for at most a third of the values.
 * All values removed up to the last significant one are candidates, because several outliers mask each other. A
 * candidate is an outlier if it is significant against the values that are not candidates.
 *
 * @param floor the least tau: differences of this size are never surprising
 * @param effect how far an outlier must be from mu, at least
 * @param side which outliers count
 */
record OutlierTest(double floor, double effect, Side side) {
    private static final int MIN_VALUES = 4;
    /** How many of the farthest values are compared with all others at each step. */
    private static final int FARTHEST = 5;

    /** Sources do not differ by exactly normal amounts, so the tails stay heavy however many there are. */
    private static final int MAX_DEGREES = 12;

    /** So many values in a row that are not significant end the search. */
    private static final int MAX_STEPS = 20;

    private static final int ITERATIONS = 50;

    enum Side {
        LOW,
        HIGH,
        BOTH
    }

    /**
     * A value that stands out.
     *
     * @param distance from the centre of the others
     * @param pValue corrected for the number of values and for all other tests: below {@link SourceVerdicts#LEVEL}
     */
    record Outlier(int index, double centre, double distance, double pValue) {}

    /** Where values are: their centre, its variance, and the variance tau^2 between them. */
    private record Spread(double centre, double ofCentre, double between) {}

    /**
     * Finds the outliers.
     *
     * @param x NaN for a source without this statistic
     * @param v its sampling variances
     * @param known sources that are candidates from the start
     * @param level the probability that any honest value is named
     */
    List<Outlier> find(double[] x, double[] v, Set<Integer> known, double level) {
        return find(x, v, v, known, level);
    }

    /**
     * Does the same where a value has another variance if it is judged, supposing that it is like the others, than if it
     * is one of those others.
     *
     * @param judged the variances of values that are judged
     */
    List<Outlier> find(double[] x, double[] v, double[] judged, Set<Integer> known, double level) {
        int[] all = IntStream.range(0, x.length)
                .filter(i -> Double.isFinite(x[i]) && Double.isFinite(v[i]))
                .toArray();
        int[] rest = Arrays.stream(all).filter(i -> !known.contains(i)).toArray();
        List<Integer> removed = new ArrayList<>(
                Arrays.stream(all).filter(known::contains).boxed().toList());
        int candidates = removed.size();
        int limit = all.length / 3;
        while (removed.size() < limit && removed.size() - candidates < MAX_STEPS && rest.length >= MIN_VALUES) {
            int worst = farthest(x, v, judged, rest);
            int[] others = without(rest, worst);
            removed.add(worst);
            rest = others;
            if (all.length * tail(x[worst], judged[worst], spread(x, v, others), others.length - 1) < level) {
                candidates = removed.size();
            }
        }
        Set<Integer> named = new LinkedHashSet<>(removed.subList(0, candidates));
        int[] honest = Arrays.stream(all).filter(i -> !named.contains(i)).toArray();
        if (honest.length < MIN_VALUES - 1) {
            return List.of();
        }
        Spread spread = spread(x, v, honest);
        List<Outlier> outliers = new ArrayList<>();
        for (int i : named) {
            double distance = x[i] - spread.centre;
            double p = all.length * tail(x[i], judged[i], spread, honest.length - 1);
            if (p < level && Math.abs(distance) >= effect) {
                outliers.add(new Outlier(i, spread.centre, distance, p * SourceVerdicts.LEVEL / level));
            }
        }
        return outliers;
    }

    private static int[] without(int[] members, int one) {
        return Arrays.stream(members).filter(i -> i != one).toArray();
    }

    /** Returns the value with the largest t; only those that are farthest from all are compared without themselves. */
    private int farthest(double[] x, double[] v, double[] judged, int[] members) {
        Spread all = spread(x, v, members);
        return Arrays.stream(members)
                .boxed()
                .sorted((i, j) -> Double.compare(t(x[j], judged[j], all), t(x[i], judged[i], all)))
                .limit(FARTHEST)
                .max((i, j) -> Double.compare(
                        t(x[i], judged[i], spread(x, v, without(members, i))),
                        t(x[j], judged[j], spread(x, v, without(members, j)))))
                .orElseThrow();
    }

    private double t(double x, double v, Spread spread) {
        double t = (x - spread.centre) / Math.sqrt(spread.between + v + spread.ofCentre);
        return switch (side) {
            case LOW -> -t;
            case HIGH -> t;
            case BOTH -> Math.abs(t);
        };
    }

    private double tail(double x, double v, Spread spread, int degrees) {
        return (side == Side.BOTH ? 2 : 1) * StudentT.above(t(x, v, spread), Math.min(degrees, MAX_DEGREES));
    }

    /** Returns what tau^2 would be if all v were equal. */
    private static double start(double[] x, double[] v, int[] members) {
        double mean = Arrays.stream(members).mapToDouble(i -> x[i]).average().orElseThrow();
        double squares = Arrays.stream(members)
                .mapToDouble(i -> (x[i] - mean) * (x[i] - mean))
                .sum();
        double sampling =
                Arrays.stream(members).mapToDouble(i -> v[i]).average().orElseThrow();
        return Math.max(0, squares / (members.length - 1) - sampling);
    }

    private Spread spread(double[] x, double[] v, int[] members) {
        double least = floor * floor;
        double between = start(x, v, members);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            double weights = 0;
            double sum = 0;
            for (int i : members) {
                double w = 1 / (between + v[i] + 1e-300);
                weights += w;
                sum += w * x[i];
            }
            double centre = sum / weights;
            double excess = 1.0 - members.length;
            double slope = 0;
            for (int i : members) {
                double w = 1 / (between + v[i] + 1e-300);
                double squares = w * (x[i] - centre) * (x[i] - centre);
                excess += squares;
                slope += w * squares;
            }
            double next = slope > 0 ? Math.max(0, between + excess / slope) : between;
            boolean settled = Math.abs(next - between) <= 1e-9 * next || next < least && next <= between;
            between = next;
            if (settled) {
                break;
            }
        }
        between = Math.max(between, least);
        double weights = 0;
        double sum = 0;
        for (int i : members) {
            double w = 1 / (between + v[i] + 1e-300);
            weights += w;
            sum += w * x[i];
        }
        return new Spread(sum / weights, 1 / weights, between);
    }
}
