package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import holdfast.data.TableColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Counts how many cells of a column are missing, how many are present and, for text, how many have each category, each
 * by the weight of its row. Only categories that occur are counted, so the cost of a block depends on its rows, not on
 * the number of categories.
 *
 * @param counts missing cells, present cells, then the indices of categories, ascending, each followed by its count
 */
record CellCounts(double[] counts) {
    private static final int HEAD = 2;

    /** Receives a category that occurs. */
    interface Visitor {
        void accept(int code, double count);
    }

    /** Counts all columns of every source in one pass; the result has a list of sources for each column. */
    static List<List<CellCounts>> bySource(Rows cells, List<TableColumn> columns) {
        boolean[] text = new boolean[columns.size()];
        for (int c = 0; c < text.length; c++) {
            text[c] = columns.get(c).isText();
        }
        List<double[][]> sources = cells.reduceBySource(block -> of(block, text), CellCounts::merge).stream()
                .filter(Objects::nonNull)
                .toList();
        return IntStream.range(0, text.length)
                .mapToObj(c -> sources.stream()
                        .map(counts -> new CellCounts(counts[c]))
                        .toList())
                .toList();
    }

    private static double[][] of(Block block, boolean[] text) {
        // The category and the row of each cell of text, in one number to be sorted by.
        long[][] met = new long[text.length][block.rows()];
        int[] known = new int[text.length];
        double[][] counts = new double[text.length][HEAD];
        double[] row = new double[text.length];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            for (int c = 0; c < row.length; c++) {
                boolean missing = Double.isNaN(row[c]);
                counts[c][missing ? 0 : 1] += block.weight(j);
                if (text[c] && !missing) {
                    met[c][known[c]++] = (long) row[c] << 32 | j;
                }
            }
        }
        for (int c = 0; c < text.length; c++) {
            Arrays.sort(met[c], 0, known[c]);
            counts[c] = Arrays.copyOf(counts[c], HEAD + 2 * known[c]);
            int end = HEAD;
            for (int k = 0; k < known[c]; k++) {
                long code = met[c][k] >> 32;
                if (end == HEAD || counts[c][end - 2] != code) {
                    counts[c][end++] = code;
                    counts[c][end++] = 0;
                }
                counts[c][end - 1] += block.weight((int) met[c][k]);
            }
            counts[c] = Arrays.copyOf(counts[c], end);
        }
        return counts;
    }

    private static double[][] merge(double[][] a, double[][] b) {
        for (int c = 0; c < a.length; c++) {
            a[c] = merge(a[c], b[c]);
        }
        return a;
    }

    private static double[] merge(double[] a, double[] b) {
        double[] both = new double[a.length + b.length];
        both[0] = a[0] + b[0];
        both[1] = a[1] + b[1];
        int end = HEAD;
        for (int i = HEAD, k = HEAD; i < a.length || k < b.length; ) {
            double code = Math.min(
                    i < a.length ? a[i] : Double.POSITIVE_INFINITY, k < b.length ? b[k] : Double.POSITIVE_INFINITY);
            both[end++] = code;
            if (i < a.length && a[i] == code) {
                both[end] += a[i + 1];
                i += 2;
            }
            if (k < b.length && b[k] == code) {
                both[end] += b[k + 1];
                k += 2;
            }
            end++;
        }
        return Arrays.copyOf(both, end);
    }

    double missing() {
        return counts[0];
    }

    double present() {
        return counts[1];
    }

    void forEach(Visitor visitor) {
        for (int i = HEAD; i < counts.length; i += 2) {
            visitor.accept((int) counts[i], counts[i + 1]);
        }
    }
}
