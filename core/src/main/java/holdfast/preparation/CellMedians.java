package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The medians of columns by source, in which a row of weight 2 counts like two rows. */
final class CellMedians {
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

    private static double median(double[] cells) {
        double[] values = new double[cells.length / 2];
        double[] weights = new double[values.length];
        Arrays.setAll(values, i -> cells[2 * i]);
        Arrays.setAll(weights, i -> cells[2 * i + 1]);
        return WeightedMedian.of(values, weights);
    }
}
