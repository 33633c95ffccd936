package holdfast.formats;

import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.evaluation.Evaluation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Looks for what often goes wrong with the columns of a table: one that gives the label away, numbers that stand for
 * missing cells, copies, decimal commas, one word in two spellings, and letters in another encoding. Looks at the first
 * rows only. Changes nothing.
 */
public final class ColumnWarnings {
    /** Looking at more rows takes too long; the first ones show the same. */
    private static final int MAX_ROWS = 10_000;

    private static final int MAX_CELLS = 1 << 22;
    /** Fewer rows may agree by chance. */
    private static final int MIN_ROWS = 50;
    /** With fewer rows for each value, a text column tells labels by chance. */
    private static final int ROWS_PER_VALUE = 10;

    private static final int MIN_SOURCES = 3;
    /** A source tells something about a column only if this many of its rows are not of its most frequent class. */
    private static final int MIN_OTHERS = 5;

    private static final double NEARLY_ALL = 0.999;
    private static final double SAME = 0.9999;
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?\\d+,\\d+");
    /** Numbers such as 1,250, which a decimal comma would make a thousand times smaller. */
    private static final Pattern THOUSANDS = Pattern.compile("[+-]?[1-9]\\d{0,2}(,\\d{3})+");

    private static final int FIRST_ROWS = 500;

    private static final int FIRST_ROWS_OF_CLASS = 25;
    /**
     * Where the AUC is NEARLY_ALL, at most about a thousandth of the rows of a class are misplaced; for an AUC below this
     * in a sample, 3 of 25 must be, which has a probability of about 1e-6.
     */
    private static final double FAR_FROM_ALL = 0.9;

    private static final char REPLACED = '\uFFFD';

    private final Table table;
    private final String sourceColumn;
    private final double[][] cells;
    private final double[] labels;
    private final List<String> found = new ArrayList<>();

    private ColumnWarnings(Table table, String sourceColumn) {
        this.table = table;
        this.sourceColumn = sourceColumn;
        Dataset data = table.cells();
        int columns = table.schema().features().size();
        int rows = Math.min(Math.min(data.rows(), MAX_ROWS), MAX_CELLS / Math.max(1, columns));
        this.cells = new double[columns][rows];
        this.labels = new double[rows];
        double[] row = new double[columns];
        for (int r = 0; r < rows; r++) {
            data.copyRow(r, row);
            labels[r] = data.label(r);
            for (int c = 0; c < columns; c++) {
                cells[c][r] = row[c];
            }
        }
    }

    /**
     * Returns what may be wrong with the columns of a table, each in a sentence that names the column and the setting to
     * use; nothing if its rows are sparse.
     *
     * @param sourceColumn the column that names the sources, if one does
     */
    public static List<String> of(Table table, Optional<String> sourceColumn) {
        if (table.cells().sparse()) {
            return List.of();
        }
        ColumnWarnings look = new ColumnWarnings(table, sourceColumn.orElse(""));
        look.look();
        return List.copyOf(look.found);
    }

    private void look() {
        Map<Integer, List<Integer>> byHash = new HashMap<>();
        for (int c = 0; c < cells.length; c++) {
            TableColumn column = table.columns().get(c);
            if (!givesLabelAway(c, column) && !missingCellsGiveLabelAway(c, column)) {
                copy(c, byHash);
            }
            if (column.isText()) {
                words(column);
            } else {
                sentinel(c, column.name());
            }
        }
        spelling(table.schema().label(), "--label", "classes", table.schema().classes());
        spelling(sourceColumn, "--workers-by", "sources", table.schema().groups());
        letters(table.schema().label(), table.schema().classes());
        letters(sourceColumn, table.schema().groups());
        table.columns().stream().map(TableColumn::name).forEach(name -> letters(name, List.of(name)));
    }

    private void warn(String column, String text, Object... arguments) {
        found.add("column " + column + " " + String.format(Locale.ROOT, text, arguments));
    }

    private boolean givesLabelAway(int c, TableColumn column) {
        int[] known = IntStream.range(0, labels.length)
                .filter(r -> !Double.isNaN(cells[c][r]))
                .toArray();
        if (known.length < MIN_ROWS || known.length < labels.length / 2) {
            return false;
        }
        int classes = table.schema().classes().size();
        Predicate<int[]> tells = rows -> classes == 0
                ? !column.isText() && Math.abs(correlation(cells[c], rows)) >= SAME
                : column.isText()
                        ? isPure(r -> (int) cells[c][r], column.categories().size(), rows)
                        : isSeparated(c, classes, rows);
        return givesLabelAway(column, "it alone tells it", known, tells);
    }

    /** Warns of a column such as the date of a death, which only the rows of one class have. */
    private boolean missingCellsGiveLabelAway(int c, TableColumn column) {
        int[] rows = IntStream.range(0, labels.length).toArray();
        return rows.length >= MIN_ROWS
                && !table.schema().classes().isEmpty()
                && givesLabelAway(
                        column,
                        "which of its cells are missing tells it",
                        rows,
                        some -> isPure(r -> Double.isNaN(cells[c][r]) ? 1 : 0, 2, some));
    }

    private boolean givesLabelAway(TableColumn column, String how, int[] rows, Predicate<int[]> tells) {
        boolean away = tells.test(rows) || tellsInMostSources(rows, tells);
        if (away) {
            warn(
                    column.name(),
                    "gives %s away: %s in nearly all rows; if it is not known when the model is used, use %s",
                    table.schema().label(),
                    how,
                    drop(column));
        }
        return away;
    }

    /** Returns whether a test holds in two thirds of the sources: one with other labels must not hide that it does. */
    private boolean tellsInMostSources(int[] rows, Predicate<int[]> tells) {
        List<int[]> sources = Arrays.stream(rows)
                .boxed()
                .collect(Collectors.groupingBy(this::sourceOf, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(own -> own.stream().mapToInt(r -> r).toArray())
                .filter(own -> own.length >= MIN_ROWS && isMixed(own))
                .toList();
        int mayFail = sources.size() / 3;
        for (int s = 0; s < sources.size() && mayFail >= 0; s++) {
            mayFail -= tells.test(sources.get(s)) ? 0 : 1;
        }
        return sources.size() >= MIN_SOURCES && mayFail >= 0;
    }

    private int sourceOf(int row) {
        return table.cells().hasGroups() ? table.cells().group(row) : 0;
    }

    /** Returns whether labels are numbers, or no class has nearly all of the rows. */
    private boolean isMixed(int[] rows) {
        int classes = table.schema().classes().size();
        int[] counts = new int[Math.max(1, classes)];
        for (int r : rows) {
            counts[classes == 0 ? 0 : (int) labels[r]]++;
        }
        return classes == 0 || Arrays.stream(counts).max().orElse(0) <= rows.length - MIN_OTHERS;
    }

    /** Returns the setting that leaves out the column of the file that a column is made of. */
    private static String drop(TableColumn column) {
        return ShellArgument.option("--drop", column.date().origin(column.name()));
    }

    private double correlation(double[] x, int[] rows) {
        double meanX = Arrays.stream(rows).mapToDouble(r -> x[r]).average().orElse(0);
        double meanY = Arrays.stream(rows).mapToDouble(r -> labels[r]).average().orElse(0);
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int r : rows) {
            xy += (x[r] - meanX) * (labels[r] - meanY);
            xx += (x[r] - meanX) * (x[r] - meanX);
            yy += (labels[r] - meanY) * (labels[r] - meanY);
        }
        return xx > 0 && yy > 0 ? xy / Math.sqrt(xx) / Math.sqrt(yy) : 0;
    }

    /** Returns whether nearly all rows have the most frequent class of their value, though no class is so frequent. */
    private boolean isPure(IntUnaryOperator valueOf, int count, int[] rows) {
        int classes = table.schema().classes().size();
        int[][] counts = new int[count][classes];
        int[] all = new int[classes];
        for (int r : rows) {
            counts[valueOf.applyAsInt(r)][(int) labels[r]]++;
            all[(int) labels[r]]++;
        }
        int told = Arrays.stream(counts)
                .mapToInt(own -> Arrays.stream(own).max().orElse(0))
                .sum();
        long values = Arrays.stream(counts)
                .filter(own -> Arrays.stream(own).sum() > 0)
                .count();
        return told >= NEARLY_ALL * rows.length
                && Arrays.stream(all).max().orElse(0) < NEARLY_ALL * rows.length - 1
                && values * ROWS_PER_VALUE <= rows.length;
    }

    /** Returns whether bounds between values separate the classes: for two classes, whether the AUC is nearly 0 or 1. */
    private boolean isSeparated(int c, int classes, int[] rows) {
        double[] x = cells[c];
        if (classes == 2) {
            // Most columns are far from it, which some of the rows show.
            int[] some = IntStream.range(0, Math.min(rows.length, FIRST_ROWS))
                    .map(i -> rows[(int) ((long) i * rows.length / Math.min(rows.length, FIRST_ROWS))])
                    .toArray();
            double ones = Arrays.stream(some).mapToDouble(r -> labels[r]).sum();
            boolean tells = Math.min(ones, some.length - ones) >= FIRST_ROWS_OF_CLASS;
            return !(tells && separation(x, some) < FAR_FROM_ALL) && separation(x, rows) >= NEARLY_ALL;
        }
        Integer[] sorted = Arrays.stream(rows).boxed().toArray(Integer[]::new);
        Arrays.sort(sorted, Comparator.<Integer>comparingDouble(r -> x[r]).thenComparingDouble(r -> labels[r]));
        Set<Double> present = new HashSet<>();
        int runs = 0;
        for (int i = 0; i < sorted.length; i++) {
            boolean begins = i == 0 || labels[sorted[i]] != labels[sorted[i - 1]];
            if (begins && i > 0 && x[sorted[i]] == x[sorted[i - 1]]) {
                return false;
            }
            runs += begins ? 1 : 0;
            present.add(labels[sorted[i]]);
        }
        return present.size() > 1 && runs == present.size();
    }

    /** Returns the AUC, or that of the other direction if it is larger; NaN if the rows have one class. */
    private double separation(double[] x, int[] rows) {
        double area = Evaluation.auc(
                Arrays.stream(rows).mapToDouble(r -> x[r]).toArray(),
                Arrays.stream(rows).mapToDouble(r -> labels[r]).toArray());
        return Math.max(area, 1 - area);
    }

    private void copy(int c, Map<Integer, List<Integer>> byHash) {
        double[] own = cells[c];
        if (own.length < MIN_ROWS || Arrays.stream(own).distinct().limit(2).count() < 2) {
            return;
        }
        List<Integer> alike = byHash.computeIfAbsent(Arrays.hashCode(own), h -> new ArrayList<>());
        for (int other : alike) {
            if (Arrays.equals(cells[other], own)
                    && table.columns()
                            .get(other)
                            .categories()
                            .equals(table.columns().get(c).categories())) {
                warn(
                        table.columns().get(c).name(),
                        "is a copy of %s; use %s",
                        table.columns().get(other).name(),
                        drop(table.columns().get(c)));
                return;
            }
        }
        alike.add(c);
    }

    /** Warns of a number such as -999 that occurs several times, far from all others. */
    private void sentinel(int c, String name) {
        Map<Double, Integer> counts = new LinkedHashMap<>();
        for (double x : cells[c]) {
            if (isNines(x)) {
                counts.merge(x, 1, Integer::sum);
            }
        }
        counts.forEach((value, count) -> {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (double x : cells[c]) {
                if (!Double.isNaN(x) && !counts.containsKey(x)) {
                    low = Math.min(low, x);
                    high = Math.max(high, x);
                }
            }
            double gap = value < 0 ? low - value : value - high;
            if (count > 1 && low <= high && gap > 0 && (gap > high - low || value <= -99 && low >= 0)) {
                warn(
                        name,
                        "has %s in %d %srows, far from all other values (%s to %s); if it stands for a missing one, use"
                                + " --missing-values %s",
                        Spec.print(value),
                        count,
                        labels.length < table.rows() ? "of the first " + labels.length + " " : "",
                        Spec.print(low),
                        Spec.print(high),
                        Spec.print(value));
            }
        });
    }

    /** Returns whether a number is written with nines alone, such as 99 or -999. */
    private static boolean isNines(double x) {
        double next = Math.abs(x) + 1;
        return x != 0 && Math.abs(x) < 1e10 && next >= 10 && Math.pow(10, Math.rint(Math.log10(next))) == next;
    }

    private void words(TableColumn column) {
        List<String> values = column.categories();
        if (areDecimalCommas(values)) {
            warn(
                    column.name(),
                    "has words such as '%s' that look like numbers with a decimal comma; use %s",
                    values.get(0),
                    readCommas(values));
        }
        spelling(column.name(), "--one-hot", "categories", values);
        letters(column.name(), values);
    }

    /** Returns whether most of these texts look like numbers with a decimal comma. */
    static boolean areDecimalCommas(List<String> texts) {
        return 2
                        * texts.stream()
                                .filter(text -> DECIMAL_COMMA.matcher(text).matches())
                                .count()
                > texts.size();
    }

    /** Returns what to do about texts that look like numbers with a decimal comma. */
    static String readCommas(List<String> texts) {
        boolean mayBeThousands = texts.stream()
                .filter(text -> DECIMAL_COMMA.matcher(text).matches())
                .allMatch(text -> THOUSANDS.matcher(text).matches());
        return "--decimal comma" + (mayBeThousands ? " or, if commas separate thousands, take them out" : "");
    }

    /** Warns of values that differ in capitals and spaces alone. */
    private void spelling(String column, String flag, String what, List<String> values) {
        Map<String, String> seen = new HashMap<>();
        for (String value : values) {
            String other =
                    seen.putIfAbsent(value.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT), value);
            if (other != null) {
                warn(
                        column,
                        "(%s) has '%s' beside '%s', which count as two %s; write them alike",
                        flag,
                        other,
                        value,
                        what);
                return;
            }
        }
    }

    private void letters(String column, List<String> values) {
        values.stream()
                .filter(value -> value.indexOf(REPLACED) >= 0)
                .findFirst()
                .ifPresent(value ->
                        warn(column, "has letters that are not UTF-8, as in '%s'; use --encoding latin-1", value));
    }
}
