package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DatePart;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.math.Vectors;
import holdfast.objective.CategoryColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How the columns of a table become features. A column of numbers is one feature. A text column is one feature per
 * category: 1 for the row's own category and 0 for the others. An encoding is learnt from the training rows alone and
 * stored with the model, so that held-out rows and later rows become features in the same way.
 *
 * @param columns in the order of their features; if empty, the columns are the features
 */
public record Encoding(List<Column> columns) {
    /** The columns are the features, and no cell may be missing. */
    public static final Encoding NONE = new Encoding(List.of());

    /** Marks a value of a text column that is not one of its categories, where missing cells are not filled. */
    public static final double UNKNOWN = -1;

    private static final System.Logger LOG = System.getLogger("holdfast.training");

    /** With more features than this, rows that are mostly zeros are stored without them. */
    private static final int MANY = 256;

    /**
     * One column of a table.
     *
     * @param categories the categories of a text column, ascending; empty if the column holds numbers
     * @param fill the features of a missing cell; if empty, no cell may be missing
     * @param marked whether an extra feature is 1 if the cell is missing, else 0
     * @param date what the cells are made of, if the file has dates there
     */
    public record Column(String name, List<String> categories, List<Double> fill, boolean marked, DatePart date) {
        public Column {
            categories = List.copyOf(categories);
            fill = List.copyOf(fill);
            for (int i = 1; i < categories.size(); i++) {
                Check.that(
                        categories.get(i - 1).compareTo(categories.get(i)) < 0,
                        "column %s: categories must ascend, got '%s' before '%s'",
                        name,
                        categories.get(i - 1),
                        categories.get(i));
            }
            int width = categories.isEmpty() ? 1 : categories.size();
            Check.that(
                    fill.size() == width || fill.isEmpty() && !marked,
                    "column %s: there must be %d values for a missing cell, got %d",
                    name,
                    width,
                    fill.size());
            for (double value : fill) {
                Check.that(Double.isFinite(value), "column %s: the values for a missing cell must be finite", name);
            }
        }

        /** Creates a column without dates. */
        public Column(String name, List<String> categories, List<Double> fill, boolean marked) {
            this(name, categories, fill, marked, DatePart.NONE);
        }

        /** Returns the name of the column in a file. */
        public String origin() {
            return date.origin(name);
        }

        /** Creates a column of numbers without missing cells. */
        public static Column number(String name) {
            return new Column(name, List.of(), List.of(), false);
        }

        public boolean isText() {
            return !categories.isEmpty();
        }

        public boolean mayBeMissing() {
            return !fill.isEmpty();
        }

        /** Returns how many features the values of the column become, without the extra one for missing cells. */
        int width() {
            return isText() ? categories.size() : 1;
        }

        /** Returns how many features the column becomes. */
        int size() {
            return width() + (marked ? 1 : 0);
        }

        /** Returns the index of a category, or NaN if there is no such category. */
        public double category(String text) {
            int at = Collections.binarySearch(categories, text);
            return at < 0 ? Double.NaN : at;
        }

        /**
         * Warns that held-out rows have a value here that is not a category.
         *
         * @param file the table
         * @param example one of the values
         */
        public void warnOfUnknown(String file, long rows, String example) {
            warnOfUnknown(file, rows + " held-out rows have", example);
        }

        /** Warns the same of rows that a model is used on. */
        public void warnOfUnseen(String file, long rows, String example) {
            warnOfUnknown(file, rows == 1 ? "1 row has" : rows + " rows have", example);
        }

        private void warnOfUnknown(String file, String rows, String example) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: column {1}: {2} a value not known from training, such as ''{3}''; {4}",
                    file,
                    name,
                    rows,
                    example,
                    mayBeMissing() ? "they count as missing" : "the features of the column are 0 there");
        }

        /** Returns the argument of {@link Encoding#add} for a value: its category, or what stands for an unknown one. */
        public double place(String text) {
            double place = category(text);
            return Double.isNaN(place) && !mayBeMissing() ? UNKNOWN : place;
        }

        /**
         * Writes the features of a missing cell, with its mark, from a place on. If the column does not say them, what is
         * there stays.
         *
         * @return where the features of the column end
         */
        public int fillIn(double[] features, int from) {
            for (int i = 0; i < fill.size(); i++) {
                features[from + i] = fill.get(i);
            }
            if (marked) {
                features[from + width()] = 1;
            }
            return from + size();
        }

        private void addNames(List<String> names) {
            if (isText()) {
                categories.forEach(category -> names.add(name + "=" + category));
            } else {
                names.add(name);
            }
            if (marked) {
                names.add(name + " missing");
            }
        }
    }

    public Encoding {
        columns = List.copyOf(columns);
    }

    /** Returns the names of the features. */
    public List<String> features() {
        List<String> names = new ArrayList<>();
        columns.forEach(column -> column.addNames(names));
        return names;
    }

    /** Returns for each column the index of its first feature. */
    public int[] firstFeatures() {
        int[] first = new int[columns.size()];
        for (int c = 1; c < first.length; c++) {
            first[c] = first[c - 1] + columns.get(c - 1).size();
        }
        return first;
    }

    /** Returns the text columns as they are in rows that are scaled in this way. */
    public List<CategoryColumn> categories(Scaling scaling) {
        int width = scaling.divisors().length;
        double[] zero = new double[width];
        double[] one = new double[width];
        Arrays.fill(one, 1);
        if (scaling.kind() != Scaling.Kind.NONE) {
            scaling.rowScaler().scale(zero, 0, zero, 0);
            scaling.rowScaler().scale(one, 0, one, 0);
        }
        int[] first = firstFeatures();
        return IntStream.range(0, first.length)
                .filter(c -> columns.get(c).isText())
                .mapToObj(c -> {
                    Column column = columns.get(c);
                    int end = first[c] + column.size();
                    return new CategoryColumn(
                            column.name(),
                            first[c],
                            Arrays.stream(zero, first[c], end).boxed().toList(),
                            Arrays.stream(one, first[c], end).boxed().toList(),
                            column.marked());
                })
                .toList();
    }

    /**
     * Learns how the columns of a table become features from its training rows alone: their categories, means and
     * shares, combined {@link AcrossSources}. The fill of a number is the median of the sources' means or medians, which f sources
     * leave within the range of the honest ones' if more than 2f have a value there. The fill of text is, for each
     * category, the mean of the sources' shares without the f largest and the f smallest. A category that no more than
     * f sources know is left out and counts as missing, and so does the mark of missing cells that no more than f
     * sources have.
     *
     * @param cells the training rows, as in {@link Table#cells}, whose sources count as they are grouped; all together
     *     if they name none
     * @param columns the columns of the table
     * @param dealt whether rows were dealt to workers without regard to sources; then every category of a training row
     *     is known
     * @throws holdfast.InputException if a column is missing in all training rows, or its mean is not finite
     */
    public static Encoding learn(Rows cells, List<TableColumn> columns, boolean dealt, AcrossSources across) {
        return learn(cells, columns, Optional.empty(), dealt, across);
    }

    /**
     * Does the same without one column.
     *
     * @param ignored its name
     */
    static Encoding learn(
            Rows cells, List<TableColumn> columns, Optional<String> ignored, boolean dealt, AcrossSources across) {
        List<List<CellCounts>> counts = CellCounts.bySource(cells, columns);
        boolean[] filled = new boolean[columns.size()];
        boolean[] middled = new boolean[columns.size()];
        for (int c = 0; c < filled.length; c++) {
            TableColumn column = columns.get(c);
            middled[c] = !column.isText() && column.missing() == TableColumn.Missing.MEDIAN;
            filled[c] = !column.isText() && column.missing() != TableColumn.Missing.FAIL && !middled[c];
        }
        List<double[]> sums = sums(cells, filled);
        List<double[]> medians = CellMedians.bySource(cells, middled);
        AcrossSources knowing = dealt ? AcrossSources.POOLED : across;
        List<Column> learnt = new ArrayList<>();
        for (int c = 0; c < filled.length; c++) {
            int at = c;
            if (ignored.filter(columns.get(c).name()::equals).isPresent()) {
                continue;
            }
            new ColumnLearner(cells.source().name(), cells.count(), columns.get(c), counts.get(c), knowing, across)
                    .learn((middled[c] ? medians : sums)
                            .stream().mapToDouble(own -> own[at]).toArray())
                    .ifPresent(learnt::add);
        }
        Check.that(
                !learnt.isEmpty(),
                "%s: no column is left: no value of any is known to more than %d sources",
                cells.source().name(),
                across.tolerated());
        return new Encoding(learnt);
    }

    /**
     * Returns the sums of the chosen columns by source, or of all rows if they name no source. The latter are summed in
     * the order of the rows, as models of earlier versions have them.
     */
    private static List<double[]> sums(Rows cells, boolean[] chosen) {
        double[] none = new double[chosen.length];
        if (IntStream.range(0, chosen.length).noneMatch(c -> chosen[c])) {
            return List.of(none);
        }
        return cells.schema().groups().isEmpty()
                ? List.of(cells.fold(none, (sums, block) -> added(sums, block, chosen)))
                : cells.reduceBySource(block -> added(new double[chosen.length], block, chosen), Vectors::add).stream()
                        .filter(Objects::nonNull)
                        .toList();
    }

    private static double[] added(double[] sums, Block block, boolean[] chosen) {
        double[] row = new double[chosen.length];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            for (int c = 0; c < row.length; c++) {
                if (chosen[c] && !Double.isNaN(row[c])) {
                    sums[c] += block.weight(j) * row[c];
                }
            }
        }
        return sums;
    }

    /** Learns from these training rows of a table, all sources together. */
    public static Encoding learn(Table table, int[] training) {
        return new TableRows(table, training, List.of(), new int[0]).learnEncoding(true, AcrossSources.POOLED);
    }

    /**
     * Returns the features of some rows of the table that this was learnt from. A value that the encoding does not know
     * counts as missing if missing cells are filled; otherwise all features of its column are 0.
     */
    public Dataset apply(Table table, int[] rows) {
        return table.isNumbers()
                ? table.cells().select(rows)
                : new TableEncoder(table, this).apply(rows, schema(table.schema()));
    }

    /** Does the same for held-out rows. Logs a warning with the number of rows with unknown values, once per column. */
    public Dataset applyToHeldOut(Table table, int[] rows) {
        if (!table.isNumbers()) {
            new TableEncoder(table, this).warnOfUnknown(rows);
        }
        return apply(table, rows);
    }

    /** Returns the features of all rows of the table. */
    public Dataset apply(Table table) {
        return table.isNumbers()
                ? table.cells()
                : apply(table, IntStream.range(0, table.rows()).toArray());
    }

    /** Returns the schema of the features that the cells of a table become. */
    public Schema schema(Schema cells) {
        return equals(NONE) ? cells : cells.withFeatures(features());
    }

    /**
     * Returns the rows of another table as the features of a model, with columns matched by name. Returns the rows
     * themselves if they are already these features. Sources are dropped. A value that no training row had counts as
     * missing if missing cells are filled; otherwise all features of its column are 0. Logs a warning, once per column.
     *
     * @param features what the model's features mean
     * @throws holdfast.InputException if a column does not exist; and, if training does not fill missing cells, for a
     *     missing cell
     */
    public Dataset featuresOf(Table table, Schema features) {
        if (table.isNumbers() && equals(NONE) && table.schema().features().equals(features.features())) {
            return table.cells();
        }
        Encoding known = equals(NONE)
                ? new Encoding(features.features().stream().map(Column::number).toList())
                : this;
        TableEncoder encoder = new TableEncoder(table, known);
        int[] all = IntStream.range(0, table.rows()).toArray();
        encoder.requireNoneMissing(all);
        encoder.warnOfUnseen(all);
        return encoder.apply(all, features.withoutGroups()).withoutGroups();
    }

    /** Creates a builder for the features. */
    public DatasetBuilder builder() {
        return sparse() ? DatasetBuilder.sparse(width()) : new DatasetBuilder(width());
    }

    /**
     * Returns whether rows are stored without their zeros: if there are many features and at most a quarter of them are
     * set in a row.
     */
    public boolean sparse() {
        return width() > MANY && 4 * columns.size() <= width();
    }

    private int width() {
        return columns.stream().mapToInt(Column::size).sum();
    }

    /**
     * Adds the features of a row to a builder.
     *
     * @param cells one per column: the number or the index of the category, or NaN for a missing cell if the column
     *     allows it
     */
    public void add(double[] cells, double label, int group, double weight, DatasetBuilder into) {
        Features row = new Features();
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            boolean missing = Double.isNaN(cells[c]);
            if (missing) {
                Check.that(column.mayBeMissing(), "column %s: a value is missing", column.name());
                column.fill().forEach(row::next);
            } else if (column.isText()) {
                row.one((int) cells[c], column.width());
            } else {
                row.next(cells[c]);
            }
            if (column.marked()) {
                row.next(missing ? 1 : 0);
            }
        }
        into.add(row.at, row.x, row.count, label, group, weight);
    }

    /** The non-zero features of a row. */
    private static final class Features {
        private int[] at = new int[16];
        private double[] x = new double[16];
        private int count;
        private int width;

        private void next(double value) {
            if (value != 0) {
                if (count == at.length) {
                    at = Arrays.copyOf(at, 2 * count);
                    x = Arrays.copyOf(x, 2 * count);
                }
                at[count] = width;
                x[count++] = value;
            }
            width++;
        }

        private void one(int place, int of) {
            int start = width;
            if (place != UNKNOWN) {
                width = start + place;
                next(1);
            }
            width = start + of;
        }
    }
}
