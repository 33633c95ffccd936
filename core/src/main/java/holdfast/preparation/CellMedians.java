package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The medians of columns by source, in which a row of weight 2 counts like two rows. */
final class CellMedians {
    /** Sums of weights that differ by less, relative to all weights, are equal. */
    private static final double ROUNDING = 1e-12;

    private CellMedians() {}

    /**
     * Returns the medians of the chosen columns for each source that has rows; NaN where it has no cell, and for columns
     * that are not chosen.
     */
    static List<double[]> bySource(Rows cells, boolean[] chosen) {
        if (IntStream.range(0, chosen.length).noneMatch(c -> chosen[c])) {
            return List.of();
        }
        return cells.reduceBySource(block -> of(block, chosen), CellMedians::merge).stream()
                .filter(Objects::nonNull)
                .map(columns ->
                        Arrays.stream(columns).mapToDouble(CellMedians::median).toArray())
                .toList();
    }

    /** Returns for each column its cells, each followed by its weight. */
    private static double[][] of(Block block, boolean[] chosen) {
        double[][] values = new double[chosen.length][];
        Arrays.setAll(values, c -> new double[chosen[c] ? 2 * block.rows() : 0]);
        int[] counts = new int[chosen.length];
        double[] row = new double[chosen.length];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            for (int c = 0; c < row.length; c++) {
                if (chosen[c] && !Double.isNaN(row[c])) {
                    values[c][counts[c]++] = row[c];
                    values[c][counts[c]++] = block.weight(j);
                }
            }
        }
        Arrays.setAll(values, c -> Arrays.copyOf(values[c], counts[c]));
        return values;
    }

    private static double[][] merge(double[][] a, double[][] b) {
        for (int c = 0; c < a.length; c++) {
            int length = a[c].length;
            a[c] = Arrays.copyOf(a[c], length + b[c].length);
            System.arraycopy(b[c], 0, a[c], length, b[c].length);
        }
        return a;
    }

    /** Returns the value below and above which half of the weights are; the middle of two such values. */
    private static double median(double[] cells) {
        double[][] sorted = IntStream.range(0, cells.length / 2)
                .mapToObj(i -> new double[] {cells[2 * i], cells[2 * i + 1]})
                .sorted(Comparator.<double[]>comparingDouble(cell -> cell[0]).thenComparingDouble(cell -> cell[1]))
                .toArray(double[][]::new);
        double all = Arrays.stream(sorted).mapToDouble(cell -> cell[1]).sum();
        double below = 0;
        for (int i = 0; i < sorted.length; i++) {
            below += sorted[i][1];
            if (Math.abs(2 * below - all) <= ROUNDING * all && i + 1 < sorted.length) {
                return new AcrossSources(0).median(sorted[i][0], sorted[i + 1][0]);
            }
            if (2 * below > all) {
                return sorted[i][0];
            }
        }
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1][0];
    }
}
