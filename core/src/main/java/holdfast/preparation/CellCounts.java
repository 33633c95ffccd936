package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import holdfast.data.TableColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Counts how many cells of a column are missing, how many are present and, for text, how many have each category. Only
 * categories that occur are counted, so the cost of a block depends on its rows, not on the number of categories.
 *
 * @param counts missing cells, present cells, then the indices of categories, ascending, each followed by its count
 */
record CellCounts(long[] counts) {
    private static final int HEAD = 2;

    /** Receives a category that occurs. */
    interface Visitor {
        void accept(int code, long count);
    }

    /** Counts all columns of every source in one pass; the result has a list of sources for each column. */
    static List<List<CellCounts>> bySource(Rows cells, List<TableColumn> columns) {
        boolean[] text = new boolean[columns.size()];
        for (int c = 0; c < text.length; c++) {
            text[c] = columns.get(c).isText();
        }
        List<long[][]> sources = cells.reduceBySource(block -> of(block, text), CellCounts::merge).stream()
                .filter(Objects::nonNull)
                .toList();
        return IntStream.range(0, text.length)
                .mapToObj(c -> sources.stream()
                        .map(counts -> new CellCounts(counts[c]))
                        .toList())
                .toList();
    }

    private static long[][] of(Block block, boolean[] text) {
        double[][] met = new double[text.length][block.rows()];
        int[] present = new int[text.length];
        double[] row = new double[text.length];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            for (int c = 0; c < row.length; c++) {
                if (!Double.isNaN(row[c])) {
                    met[c][present[c]++] = row[c];
                }
            }
        }
        long[][] counts = new long[text.length][];
        for (int c = 0; c < text.length; c++) {
            double[] codes = Arrays.copyOf(met[c], text[c] ? present[c] : 0);
            Arrays.sort(codes);
            counts[c] = Arrays.copyOf(new long[] {block.rows() - present[c], present[c]}, HEAD + 2 * codes.length);
            int end = HEAD;
            for (double code : codes) {
                if (end == HEAD || counts[c][end - 2] != (long) code) {
                    counts[c][end++] = (long) code;
                    counts[c][end++] = 0;
                }
                counts[c][end - 1]++;
            }
            counts[c] = Arrays.copyOf(counts[c], end);
        }
        return counts;
    }

    private static long[][] merge(long[][] a, long[][] b) {
        for (int c = 0; c < a.length; c++) {
            a[c] = merge(a[c], b[c]);
        }
        return a;
    }

    private static long[] merge(long[] a, long[] b) {
        long[] both = new long[a.length + b.length];
        both[0] = a[0] + b[0];
        both[1] = a[1] + b[1];
        int end = HEAD;
        for (int i = HEAD, k = HEAD; i < a.length || k < b.length; ) {
            long code = Math.min(i < a.length ? a[i] : Long.MAX_VALUE, k < b.length ? b[k] : Long.MAX_VALUE);
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

    long missing() {
        return counts[0];
    }

    long present() {
        return counts[1];
    }

    void forEach(Visitor visitor) {
        for (int i = HEAD; i < counts.length; i += 2) {
            visitor.accept((int) counts[i], counts[i + 1]);
        }
    }
}
