package holdfast.sources;

import holdfast.data.Dataset;
import holdfast.data.DatePart;
import holdfast.data.RowHash;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.preparation.AcrossSources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a table holds before anything is learnt from it, by source: rows, labels, repeated rows, and for every column its
 * type, its missing cells and its range.
 *
 * @param rows how many rows were looked at, the first ones
 * @param columns the features
 */
public record TableProfile(int rows, List<Source> sources, List<Column> columns) {
    private static final long MAX_CELLS = 1L << 26;

    /**
     * A source, or the whole table if it names none.
     *
     * @param repeated how many of its rows were there before in the same source, with the same label
     * @param shared how many of its rows are in another source too, with the same label
     * @param labels how many rows have each class; empty if labels are numbers
     * @param values the labels if they are numbers; else no cells
     */
    public record Source(String name, int rows, int repeated, int shared, List<Integer> labels, Cells values) {}

    /**
     * A column.
     *
     * @param type number, text or date
     * @param all its cells in all sources
     * @param bySource its cells in each source
     */
    public record Column(String name, String type, Cells all, List<Cells> bySource) {}

    /**
     * Some cells of a column.
     *
     * @param missing how many are missing
     * @param distinct how many different values there are
     * @param least NaN for text and if there is none, as the median and the largest value
     * @param common the most frequent value of text; empty otherwise
     */
    public record Cells(int count, int missing, int distinct, double least, double median, double most, String common) {
        /** Returns the share of missing cells. */
        public double missingShare() {
            return count == 0 ? 0 : (double) missing / count;
        }
    }

    /** Looks at a table. */
    public static TableProfile of(Table table) {
        Dataset data = table.cells();
        int width = data.columns();
        int rows = (int) Math.min(data.rows(), MAX_CELLS / Math.max(1, width));
        List<String> names = data.hasGroups() ? table.schema().groups() : List.of("all rows");
        int[] sourceOf = IntStream.range(0, rows)
                .map(r -> data.hasGroups() ? data.group(r) : 0)
                .toArray();
        double[][] cells = new double[width][rows];
        double[] row = new double[width];
        Repetitions repetitions = new Repetitions(names.size());
        for (int r = 0; r < rows; r++) {
            data.copyRow(r, row);
            repetitions.add(row, data.label(r), sourceOf[r]);
            for (int c = 0; c < width; c++) {
                cells[c][r] = row[c];
            }
        }
        double[] labels = IntStream.range(0, rows).mapToDouble(data::label).toArray();
        List<String> classes = table.schema().classes();
        List<Source> sources = IntStream.range(0, names.size())
                .mapToObj(s -> {
                    double[] own = of(labels, sourceOf, s);
                    return new Source(
                            names.get(s),
                            own.length,
                            repetitions.repeated[s],
                            repetitions.shared(s),
                            IntStream.range(0, classes.size())
                                    .mapToObj(k -> (int) Arrays.stream(own)
                                            .filter(y -> y == k)
                                            .count())
                                    .toList(),
                            cells(classes.isEmpty() ? own : new double[0], List.of()));
                })
                .toList();
        List<Column> columns = new ArrayList<>();
        for (int c = 0; c < width; c++) {
            double[] values = cells[c];
            TableColumn column = table.columns().get(c);
            columns.add(new Column(
                    column.name(),
                    column.isText() ? "text" : column.date() == DatePart.NONE ? "number" : "date",
                    cells(values, column.categories()),
                    IntStream.range(0, names.size())
                            .mapToObj(s -> cells(of(values, sourceOf, s), column.categories()))
                            .toList()));
        }
        return new TableProfile(rows, sources, columns);
    }

    private static double[] of(double[] values, int[] sourceOf, int source) {
        return IntStream.range(0, values.length)
                .filter(r -> sourceOf[r] == source)
                .mapToDouble(r -> values[r])
                .toArray();
    }

    private static Cells cells(double[] values, List<String> categories) {
        double[] known =
                Arrays.stream(values).filter(x -> !Double.isNaN(x)).sorted().toArray();
        boolean numbers = categories.isEmpty() && known.length > 0;
        int distinct = 0;
        int most = 0;
        String common = "";
        for (int from = 0; from < known.length; distinct++) {
            int end = from;
            while (end < known.length && known[end] == known[from]) {
                end++;
            }
            if (!categories.isEmpty() && end - from > most) {
                most = end - from;
                common = categories.get((int) known[from]);
            }
            from = end;
        }
        return new Cells(
                values.length,
                values.length - known.length,
                distinct,
                numbers ? known[0] : Double.NaN,
                numbers ? AcrossSources.POOLED.median(known) : Double.NaN,
                numbers ? known[known.length - 1] : Double.NaN,
                common);
    }

    /** Rows that occur more than once. */
    private static final class Repetitions {
        private final int[] repeated;
        private final Map<List<Long>, Map<Integer, Integer>> rows = new HashMap<>();
        private final RowHash hash = new RowHash();

        Repetitions(int sources) {
            this.repeated = new int[sources];
        }

        void add(double[] row, double label, int source) {
            hash.start("", label, 1);
            for (int c = 0; c < row.length; c++) {
                hash.add(c, row[c]);
            }
            hash.end();
            int count = rows.computeIfAbsent(List.of(hash.high(), hash.low()), h -> new HashMap<>(1))
                    .merge(source, 1, Integer::sum);
            repeated[source] += count > 1 ? 1 : 0;
        }

        int shared(int source) {
            return rows.values().stream()
                    .filter(owners -> owners.size() > 1)
                    .mapToInt(owners -> owners.getOrDefault(source, 0))
                    .sum();
        }
    }
}
