package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What training rows look like, feature by feature, so that later rows can be compared with them without them.
 *
 * <p>A feature's scaled values, as the model sees them, are sorted and cut into {@value #SLICES} slices of equal size; slice k is
 * the mean of the k-th: {@value #SLICES} times the integral of the quantile function over its share of the rows. So the mean of the slices is
 * the mean of the values, and distances between the slices of {@link #ofAll} are lower bounds of distances between values, see {@link
 * holdfast.evaluation.ColumnDrift}.
 *
 * <p>Each source has slices and a range of its own. Lowest and highest value are the (f+1)-th smallest and largest of the
 * sources'. The slices are those of all sources' slices together, each source counting the same, but none below the (f+1)-th smallest of the
 * sources' own or above the (f+1)-th largest. So f sources of more than 2f, whatever their rows, leave every number within the
 * range of the honest sources' own. Every row of a source counts once, whatever its weight. Of many rows, a fixed sample makes the slices; all make the range. The same share of every source is taken, so a small one beside very
 * large ones has few rows in it.
 *
 * @param lowest of each feature, unscaled
 * @param highest of each feature, unscaled
 * @param slices [feature][slice], scaled, ascending
 */
public record RowSummary(double[] lowest, double[] highest, double[][] slices) {
    public static final int SLICES = 20;

    /** Rows of more features are not summarised. */
    public static final int MAX_FEATURES = 2000;

    /** Slices are made from rows of about this many values, so that they need little memory wherever the rows are. */
    private static final long MAX_VALUES = 1 << 20;

    public RowSummary {
        Check.that(
                highest.length == lowest.length && slices.length == lowest.length,
                "a summary of rows needs a lowest and a highest value and slices for every feature, got %d, %d and %d",
                lowest.length,
                highest.length,
                slices.length);
        for (int i = 0; i < slices.length; i++) {
            Check.that(
                    lowest[i] <= highest[i] && slices[i].length == SLICES && Vectors.finite(slices[i]),
                    "a summary of rows needs ranges and %d finite slices, feature %d has not",
                    SLICES,
                    i + 1);
            for (int k = 1; k < SLICES; k++) {
                Check.that(
                        slices[i][k - 1] <= slices[i][k],
                        "a summary of rows needs ascending slices, feature %d",
                        i + 1);
            }
        }
    }

    /**
     * Summarises rows.
     *
     * @param features unscaled; their sources count as they are grouped, all together if they name none
     * @param scaling of these features
     * @return empty if there are more than {@value #MAX_FEATURES} features
     */
    public static Optional<RowSummary> of(Rows features, Scaling scaling, AcrossSources across) {
        int d = features.schema().features().size();
        int every = (int) Math.min(Integer.MAX_VALUE, features.count() * d / MAX_VALUES + 1);
        return d > MAX_FEATURES ? Optional.empty() : Optional.of(of(features, scaling, across, every));
    }

    /**
     * Summarises all rows, whatever their sources, and none is left out: what {@link holdfast.evaluation.ColumnDrift} needs for bounds.
     *
     * @param features unscaled
     * @param scaling of these features
     */
    public static RowSummary ofAll(Dataset features, Scaling scaling) {
        return of(features.withoutGroups(), scaling, AcrossSources.POOLED, 1);
    }

    private static RowSummary of(Rows features, Scaling scaling, AcrossSources across, int every) {
        int d = features.schema().features().size();
        List<Sample> sources = features.reduceBySource(block -> Sample.of(block, every), Sample::merge).stream()
                .filter(Objects::nonNull)
                .toList();
        RowScaler scaler = scaling.rowScaler();
        boolean scaled = scaling.kind() != Scaling.Kind.NONE;
        sources.forEach(sample -> sample.rows.forEach(row -> {
            if (scaled) {
                scaler.scale(row, 0, row, 0);
            }
        }));
        double[] lowest = new double[d];
        double[] highest = new double[d];
        double[][] slices = new double[d][];
        Threads.here().each(d, i -> {
            lowest[i] =
                    across.least(sources.stream().mapToDouble(s -> s.lowest[i]).toArray());
            highest[i] =
                    across.most(sources.stream().mapToDouble(s -> s.highest[i]).toArray());
            slices[i] = combined(
                    sources.stream().map(sample -> slices(sample.column(i))).toList(), across);
        });
        return new RowSummary(lowest, highest, slices);
    }

    private static double finite(double value) {
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, value));
    }

    private static double[] combined(List<double[]> bySource, AcrossSources across) {
        double[] together =
                slices(bySource.stream().flatMapToDouble(Arrays::stream).toArray());
        for (int k = 0; k < SLICES; k++) {
            int at = k;
            double[] own = bySource.stream().mapToDouble(slices -> slices[at]).toArray();
            together[k] = Math.max(across.least(own), Math.min(across.most(own), together[k]));
        }
        return together;
    }

    /** Returns the means of {@value #SLICES} slices of equal size of these values; a value on an edge counts in both, in part. */
    public static double[] slices(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double[] slices = new double[SLICES];
        for (int k = 0; k < SLICES; k++) {
            // In units in which a value is SLICES long and a slice is n long.
            long from = (long) k * n;
            long to = from + n;
            int first = (int) (from / SLICES);
            int last = (int) ((to - 1) / SLICES);
            double mean = 0;
            for (int j = first; j <= last; j++) {
                long length = Math.min(to, (j + 1L) * SLICES) - Math.max(from, (long) j * SLICES);
                mean += sorted[j] * ((double) length / n);
            }
            // Rounding must not take a mean out of its values.
            slices[k] = Math.max(sorted[first], Math.min(sorted[last], mean));
        }
        return slices;
    }

    /** The range of all rows of a source, and some of its rows. */
    private record Sample(double[] lowest, double[] highest, ArrayList<double[]> rows) implements Serializable {
        static Sample of(Block block, int every) {
            int d = block.columns();
            double[] lowest = new double[d];
            double[] highest = new double[d];
            Arrays.fill(lowest, Double.POSITIVE_INFINITY);
            Arrays.fill(highest, Double.NEGATIVE_INFINITY);
            ArrayList<double[]> rows = new ArrayList<>();
            double[] row = new double[d];
            for (int j = 0; j < block.rows(); j++) {
                block.copyRow(j, row, 0);
                for (int i = 0; i < d; i++) {
                    // Faster than Math.min, which thinks of NaN.
                    lowest[i] = row[i] < lowest[i] ? row[i] : lowest[i];
                    highest[i] = row[i] > highest[i] ? row[i] : highest[i];
                }
                if (isChosen(j, every, block.rows())) {
                    rows.add(row.clone());
                }
            }
            return new Sample(lowest, highest, rows);
        }

        /** Chooses one of every few rows, not always the same, which might be a day of the week. */
        private static boolean isChosen(int row, int every, int rows) {
            int group = row / every;
            int size = Math.min(every, rows - group * every);
            return row - group * every == Math.floorMod(group * 0x9E3779B9 >>> 8, size);
        }

        double[] column(int i) {
            double[] values = new double[rows.size()];
            for (int j = 0; j < values.length; j++) {
                values[j] = finite(rows.get(j)[i]);
            }
            return values;
        }

        static Sample merge(Sample a, Sample b) {
            for (int i = 0; i < a.lowest.length; i++) {
                a.lowest[i] = Math.min(a.lowest[i], b.lowest[i]);
                a.highest[i] = Math.max(a.highest[i], b.highest[i]);
            }
            a.rows.addAll(b.rows);
            return a;
        }
    }
}
