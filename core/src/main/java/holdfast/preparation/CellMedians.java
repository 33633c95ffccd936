package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The medians of columns by source, in which a row of weight 2 counts like two rows. */
final class CellMedians {
    /**
     * Up to so many cells are gathered in one pass, but at least a column: a median needs all different numbers of a source
     * in one place, which is the memory of this process even if the rows are on a cluster.
     */
    private static final long MAX_CELLS = 1 << 24;

    private CellMedians() {}

    /**
     * Returns the medians of the chosen columns for each source that has rows; NaN where it has no cell, and for columns
     * that are not chosen.
     */
    static List<double[]> bySource(Rows cells, boolean[] chosen) {
        int[] columns = IntStream.range(0, chosen.length).filter(c -> chosen[c]).toArray();
        int atOnce = (int) Math.max(1, Math.min(columns.length, MAX_CELLS / Math.max(1, cells.count())));
        return bySource(cells, columns, chosen.length, atOnce);
    }

    /** @param atOnce how many columns are gathered in one pass */
    static List<double[]> bySource(Rows cells, int[] columns, int width, int atOnce) {
        List<double[]> medians = new ArrayList<>();
        for (int from = 0; from < columns.length; from += atOnce) {
            int[] some = Arrays.copyOfRange(columns, from, Math.min(columns.length, from + atOnce));
            List<double[][]> sources =
                    cells.reduceBySource(block -> of(block, some, width), CellMedians::merge).stream()
                            .filter(Objects::nonNull)
                            .toList();
            for (int s = 0; s < sources.size(); s++) {
                if (from == 0) {
                    medians.add(new double[width]);
                    Arrays.fill(medians.get(s), Double.NaN);
                }
                for (int i = 0; i < some.length; i++) {
                    medians.get(s)[some[i]] = median(sources.get(s)[i]);
                }
            }
        }
        return medians;
    }

    /** Returns for each column its different cells, ascending, each followed by the weight of its rows. */
    private static double[][] of(Block block, int[] columns, int width) {
        double[][] values = new double[columns.length][block.rows()];
        double[] row = new double[width];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            for (int i = 0; i < columns.length; i++) {
                values[i][j] = row[columns[i]];
            }
        }
        return Arrays.stream(values).map(own -> distinct(own, block)).toArray(double[][]::new);
    }

    private static double[] distinct(double[] values, Block block) {
        int[] order = IntStream.range(0, values.length)
                .filter(j -> !Double.isNaN(values[j]))
                .boxed()
                .sorted(Comparator.comparingDouble(j -> values[j]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] found = new double[2 * order.length];
        int end = 0;
        for (int j : order) {
            if (end == 0 || Double.compare(found[end - 2], values[j]) != 0) {
                found[end] = values[j];
                end += 2;
            }
            found[end - 1] += block.weight(j);
        }
        return Arrays.copyOf(found, end);
    }

    private static double[][] merge(double[][] a, double[][] b) {
        for (int c = 0; c < a.length; c++) {
            a[c] = merge(a[c], b[c]);
        }
        return a;
    }

    private static double[] merge(double[] a, double[] b) {
        double[] both = new double[a.length + b.length];
        int end = 0;
        for (int i = 0, k = 0; i < a.length || k < b.length; end += 2) {
            int order = i == a.length ? 1 : k == b.length ? -1 : Double.compare(a[i], b[k]);
            both[end] = order <= 0 ? a[i] : b[k];
            if (order <= 0) {
                both[end + 1] += a[i + 1];
                i += 2;
            }
            if (order >= 0) {
                both[end + 1] += b[k + 1];
                k += 2;
            }
        }
        return Arrays.copyOf(both, end);
    }

    private static double median(double[] cells) {
        double[] values = new double[cells.length / 2];
        double[] weights = new double[values.length];
        Arrays.setAll(values, i -> cells[2 * i]);
        Arrays.setAll(weights, i -> cells[2 * i + 1]);
        return WeightedMedian.of(values, weights);
    }
}
