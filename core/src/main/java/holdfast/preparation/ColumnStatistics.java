package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Where the columns of rows are and how far they spread: for each source its own range, mean and root mean square
 * distance from a common centre, combined {@link AcrossSources}. The centre is the median of the sources' means, and the
 * spread is the {@linkplain AcrossSources#upper upper} of their root mean squares around it. So f sources of more than 2f, whatever their rows, leave centre, spread, lowest and highest value
 * of a column within the range of the honest sources' own.
 *
 * <p>Takes two passes over the rows, one if only ranges are asked for. Values with squares that would overflow or
 * underflow are summed as multiples of a power of two, which changes no other bit. Rounding leaves a mean off by about
 * 1e-15 of its size. If a column varies so little that this matters, as ids of 1e16 and more do, a third pass corrects
 * it.
 */
final class ColumnStatistics {
    /** Values within this many units in the last place of each other are equal but for rounding. */
    private static final double ROUNDING = 4;
    /** After sums over blocks of rows, a mean may be off by this share of its size. */
    private static final double ROUGHNESS = 0x1p-48;
    /** A mean is accurate enough if its error is below this share of the spread. */
    private static final double NEGLIGIBLE = 1e-9;

    private final Rows rows;
    private final AcrossSources across;
    private final boolean dealt;
    private final List<Range> ranges;

    /**
     * Reads the ranges of all columns.
     *
     * @param dealt whether rows were dealt to workers without regard to sources. Then a column that is not zero for few
     *     workers only, such as a rare word, is as wide as for the widest of them
     * @param withSums whether {@link #moments} will be asked for
     */
    ColumnStatistics(Rows rows, AcrossSources across, boolean dealt, boolean withSums) {
        this.rows = rows;
        this.dealt = dealt;
        this.across = across;
        this.ranges = rows.reduceBySource(block -> Range.of(block, withSums), Range::merge).stream()
                .filter(Objects::nonNull)
                .toList();
    }

    private int columns() {
        return rows.schema().features().size();
    }

    /** A number of a source for a column. */
    private interface BySource {
        double of(int source, int column);
    }

    /** Combines as many numbers as there are sources, which it may sort. */
    private interface Combination {
        double of(double[] values, int count);
    }

    /** Does the same as {@link #combined} or, if that is 0 and rows were dealt, returns the extreme of all sources. */
    private double[] extreme(BySource number, Combination combination, boolean highest) {
        return combined(number, (values, count) -> {
            double found = combination.of(values, count);
            return found != 0 || !dealt ? found : values[highest ? count - 1 : 0];
        });
    }

    /** Returns one number per column. There may be millions of columns, so this allocates nothing for each. */
    private double[] combined(BySource number, Combination combination) {
        double[] values = new double[ranges.size()];
        double[] all = new double[columns()];
        for (int i = 0; i < all.length; i++) {
            for (int s = 0; s < values.length; s++) {
                values[s] = number.of(s, i);
            }
            all[i] = combination.of(values, values.length);
        }
        return all;
    }

    /** Returns the (f+1)-th smallest of the sources' smallest values. */
    double[] lowest() {
        return extreme((s, i) -> ranges.get(s).lowest[i], across::least, false);
    }

    /** Returns the (f+1)-th largest of the sources' largest values. */
    double[] highest() {
        return extreme((s, i) -> ranges.get(s).highest[i], across::most, true);
    }

    /** Returns the (f+1)-th largest of the sources' largest |x|. */
    double[] largest() {
        return extreme((s, i) -> ranges.get(s).largest(i), across::most, true);
    }

    /** Returns whether values from low to high are equal but for rounding. */
    static boolean isConstant(double low, double high) {
        return high - low <= ROUNDING * Math.ulp(Math.max(Math.abs(low), Math.abs(high)));
    }

    /**
     * Centre and spread of every column.
     *
     * @param spreads 0 for a column that is constant but for rounding
     */
    record Moments(double[] centres, double[] spreads) {
        boolean isRough(int i) {
            return spreads[i] > 0 && NEGLIGIBLE * spreads[i] < ROUGHNESS * Math.abs(centres[i]);
        }
    }

    Moments moments() {
        double[] centres = combined((s, i) -> ranges.get(s).mean(i), across::median);
        List<double[]> distances = distances(centres);
        Moments found = new Moments(centres, spreads(distances, centres));
        return IntStream.range(0, columns()).anyMatch(found::isRough) ? refined(found, distances) : found;
    }

    private double[] each(IntToDoubleFunction function) {
        return IntStream.range(0, columns()).mapToDouble(function).toArray();
    }

    /** Returns the root mean square distances of each source's values from these centres. */
    private List<double[]> distances(double[] centres) {
        List<ScaledSums> sums = around(centres, true);
        return IntStream.range(0, ranges.size())
                .mapToObj(s -> each(i -> sums.get(s).root(i, ranges.get(s).rows)))
                .toList();
    }

    private double[] spreads(List<double[]> distances, double[] centres) {
        return extreme(
                (s, i) -> ranges.get(s).isAt(centres[i], i) ? 0 : distances.get(s)[i], across::upper, true);
    }

    private Moments refined(Moments rough, List<double[]> distances) {
        List<ScaledSums> left = around(rough.centres, false);
        List<double[]> gaps = IntStream.range(0, ranges.size())
                .mapToObj(s -> each(i -> left.get(s).mean(i, ranges.get(s).rows)))
                .toList();
        double[] moves = combined((s, i) -> rough.isRough(i) ? gaps.get(s)[i] : 0, across::median);
        List<double[]> refined = IntStream.range(0, ranges.size())
                .mapToObj(s -> each(i -> rough.isRough(i) ? refined(distances.get(s)[i], gaps.get(s)[i], moves[i]) : 0))
                .toList();
        double[] centres = each(i -> rough.centres[i] + moves[i]);
        double[] spreads = spreads(refined, centres);
        return new Moments(centres, each(i -> rough.isRough(i) ? spreads[i] : rough.spreads[i]));
    }

    /** Returns the distance from a centre moved by {@code move}, for values whose mean is {@code gap} off the old one. */
    private static double refined(double distance, double gap, double move) {
        double share = distance == 0 ? 0 : Math.min(1, Math.abs(gap) / distance);
        double deviation = distance * Math.sqrt(1 - share * share);
        return gap == move ? deviation : Math.hypot(deviation, gap - move);
    }

    /** Returns each source's sums of x - centre, or of its square. */
    private List<ScaledSums> around(double[] centres, boolean squared) {
        List<ScaledSums> sums =
                rows.reduceBySource(block -> ScaledSums.of(block, centres, squared), ScaledSums::merge).stream()
                        .filter(Objects::nonNull)
                        .toList();
        for (int s = 0; rows.sparse() && s < sums.size(); s++) {
            sums.get(s).addZeros(ranges.get(s).zeros, centres);
        }
        return sums;
    }

    /**
     * What one pass over the rows of a source finds for each column.
     *
     * @param rows how many there are, each counted by its weight
     * @param zeros how many rows have a zero in the column; null if nobody will ask for moments
     * @param sums of the values; null if nobody will ask for moments
     */
    private record Range(double rows, double[] lowest, double[] highest, double[] zeros, ScaledSums sums)
            implements Serializable {

        static Range of(Block block, boolean withSums) {
            int d = block.columns();
            double[] zeros = new double[d];
            Arrays.fill(zeros, block.rows());
            double[] lowest = new double[d];
            Arrays.fill(lowest, Double.POSITIVE_INFINITY);
            double[] highest = new double[d];
            Arrays.fill(highest, Double.NEGATIVE_INFINITY);
            for (int j = 0; j < block.rows(); j++) {
                block.nonZeros(j, (i, x) -> {
                    lowest[i] = Math.min(lowest[i], x);
                    highest[i] = Math.max(highest[i], x);
                    zeros[i]--;
                });
            }
            for (int i = 0; i < d; i++) {
                if (zeros[i] > 0) {
                    lowest[i] = Math.min(lowest[i], 0);
                    highest[i] = Math.max(highest[i], 0);
                }
            }
            return withSums
                    ? new Range(
                            block.totalWeight(),
                            lowest,
                            highest,
                            block.weights() == null ? zeros : weighed(zeros, block),
                            ScaledSums.of(block, new double[d], false))
                    : new Range(block.rows(), lowest, highest, null, null);
        }

        /** Counts zeros by the weights of their rows; there are none in columns that have none. */
        private static double[] weighed(double[] zeros, Block block) {
            double[] others = new double[zeros.length];
            for (int j = 0; j < block.rows(); j++) {
                double weight = block.weight(j);
                block.nonZeros(j, (i, x) -> others[i] += weight);
            }
            double all = block.totalWeight();
            double[] weighed = new double[zeros.length];
            Arrays.setAll(weighed, i -> zeros[i] > 0 ? Math.max(0, all - others[i]) : 0);
            return weighed;
        }

        static Range merge(Range a, Range b) {
            for (int i = 0; i < a.lowest.length; i++) {
                a.lowest[i] = Math.min(a.lowest[i], b.lowest[i]);
                a.highest[i] = Math.max(a.highest[i], b.highest[i]);
            }
            return new Range(
                    a.rows + b.rows,
                    a.lowest,
                    a.highest,
                    a.zeros == null ? null : Vectors.add(a.zeros, b.zeros),
                    a.sums == null ? null : ScaledSums.merge(a.sums, b.sums));
        }

        double largest(int i) {
            return Math.max(Math.abs(lowest[i]), Math.abs(highest[i]));
        }

        /** Returns the mean, which rounding must not take out of the range. */
        double mean(int i) {
            return Math.max(lowest[i], Math.min(highest[i], sums.mean(i, rows)));
        }

        /** Returns whether all values of a column are at a centre but for rounding. */
        boolean isAt(double centre, int i) {
            return isConstant(Math.min(centre, lowest[i]), Math.max(centre, highest[i]));
        }
    }
}
