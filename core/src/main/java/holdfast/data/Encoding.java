package holdfast.data;

import holdfast.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the columns of a table become features: a column of numbers is one, a column of text is one per category, 1 for the
 * row's own and 0 for the others. Learnt from the training rows alone and kept with the model, so that rows held out and
 * later rows become features alike.
 *
 * @param columns in the order of their features; none: the columns are the features
 */
public record Encoding(List<Column> columns) {
    /** The columns are the features, and no cell may be missing. */
    public static final Encoding NONE = new Encoding(List.of());

    /** Stands for a value of a text column that is none of its categories. */
    static final double UNKNOWN = -1;

    private static final System.Logger LOG = System.getLogger("holdfast.training");

    /** From so many features on, rows that are mostly zeros are stored without them. */
    private static final int MANY = 256;

    /**
     * One column of a table.
     *
     * @param categories of a column of text, ascending; none: it holds numbers
     * @param fill the features where a cell is missing; none: it must not be
     * @param marked whether one more feature is 1 where the cell is missing, else 0
     */
    public record Column(String name, List<String> categories, List<Double> fill, boolean marked) {
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

        /** A column of numbers of which none may be missing. */
        public static Column number(String name) {
            return new Column(name, List.of(), List.of(), false);
        }

        public boolean isText() {
            return !categories.isEmpty();
        }

        public boolean mayBeMissing() {
            return !fill.isEmpty();
        }

        /** How many features the values of the column make, without the mark. */
        int width() {
            return isText() ? categories.size() : 1;
        }

        /** The place of a category, NaN if there is no such. */
        public double category(String text) {
            int at = Collections.binarySearch(categories, text);
            return at < 0 ? Double.NaN : at;
        }

        /**
         * Warns that rows held out have a value here that no training row has.
         *
         * @param file the table
         * @param example one of the values
         */
        public void warnOfUnknown(String file, long rows, String example) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: column {1}: {2} held-out rows have a value that no training row has, such as ''{3}''; {4}",
                    file,
                    name,
                    Long.toString(rows),
                    example,
                    mayBeMissing() ? "they count as missing" : "the features of the column are 0 there");
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

    /** The names of the features. */
    public List<String> features() {
        List<String> names = new ArrayList<>();
        columns.forEach(column -> column.addNames(names));
        return names;
    }

    /**
     * Learns how a table becomes features from its training rows alone: their categories, means and shares.
     *
     * @param cells rows with a {@link Schema#table}; for rows that are features already, theirs is returned
     * @param training numbers of rows, ascending
     * @throws holdfast.InputException where a column is missing in all training rows, or its mean is not finite
     */
    public static Encoding learn(Dataset cells, int[] training) {
        List<TableColumn> table = cells.schema().table();
        if (table.isEmpty()) {
            return cells.schema().encoding();
        }
        List<Tally> tallies = table.stream().map(Tally::new).toList();
        double[] row = new double[table.size()];
        for (int r : training) {
            cells.copyRow(r, row);
            for (int c = 0; c < row.length; c++) {
                tallies.get(c).add(row[c]);
            }
        }
        return new Encoding(
                tallies.stream().map(t -> t.finish(cells.source().name())).toList());
    }

    /** What was met in a column so far. */
    private static final class Tally {
        private final TableColumn column;
        private final int[] counts;
        private double sum;
        private int present;
        private int absent;

        Tally(TableColumn column) {
            this.column = column;
            this.counts = new int[column.categories().size()];
        }

        void add(double cell) {
            if (Double.isNaN(cell)) {
                absent++;
                return;
            }
            present++;
            if (column.isText()) {
                counts[(int) cell]++;
            } else {
                sum += cell;
            }
        }

        Column finish(String file) {
            Check.that(
                    present > 0,
                    "%s: column %s is missing in all %d training rows; remove the column, or let --test-share or --seed"
                            + " choose other training rows",
                    file,
                    column.name(),
                    absent);
            boolean fails = column.missing() == TableColumn.Missing.FAIL;
            boolean marked = column.missing() == TableColumn.Missing.INDICATOR && absent > 0;
            if (!column.isText()) {
                double mean = sum / present;
                Check.that(
                        fails || Double.isFinite(mean),
                        "%s: the values of column %s are too large to be averaged",
                        file,
                        column.name());
                return new Column(column.name(), List.of(), fails ? List.of() : List.of(mean), marked);
            }
            int[] met = IntStream.range(0, counts.length)
                    .filter(code -> counts[code] > 0)
                    .boxed()
                    .sorted(Comparator.comparing(column.categories()::get))
                    .mapToInt(Integer::intValue)
                    .toArray();
            return new Column(
                    column.name(),
                    Arrays.stream(met).mapToObj(column.categories()::get).toList(),
                    fails
                            ? List.of()
                            : Arrays.stream(met)
                                    .mapToObj(code -> marked ? 0 : (double) counts[code] / present)
                                    .toList(),
                    marked);
        }
    }

    /**
     * The features of some rows of the table that this was learnt from. A value that no training row has counts as missing
     * where missing cells are filled; else all features of its column are 0. How many rows have such a value is logged as
     * a warning, once per column.
     *
     * @param cells for rows that are features already, these are selected
     */
    public Dataset apply(Dataset cells, int[] rows) {
        if (cells.schema().table().isEmpty()) {
            return cells.select(rows);
        }
        TableEncoder encoder =
                new TableEncoder(cells.source().name(), cells.schema().table(), this);
        encoder.warnOfUnknown(cells, rows);
        return encoder.apply(cells, rows, schema(cells.schema()));
    }

    /** The schema of the features that the cells of a table make. */
    public Schema schema(Schema cells) {
        return cells.table().isEmpty()
                ? cells
                : new Schema(features(), cells.label(), cells.classes(), cells.groups(), this);
    }

    /**
     * The rows of another table as the features that a model knows, columns matched by name; the rows themselves if they are
     * features already. Sources are not kept.
     *
     * @throws holdfast.InputException for a column that is not there, and where training fills no missing cells, for a
     *     missing one and for a value that no training row had
     */
    public static Dataset featuresOf(Dataset cells, Schema model) {
        if (cells.schema().table().isEmpty()) {
            return cells;
        }
        Encoding encoding = model.encoding().equals(NONE)
                ? new Encoding(model.features().stream().map(Column::number).toList())
                : model.encoding();
        TableEncoder encoder =
                new TableEncoder(cells.source().name(), cells.schema().table(), encoding);
        int[] all = IntStream.range(0, cells.rows()).toArray();
        encoder.requireKnown(cells, all);
        return encoder.apply(cells.withoutGroups(), all, model.withoutGroups());
    }

    /** A builder for the features. */
    public Dataset.Builder builder() {
        return sparse() ? Dataset.Builder.sparse(width()) : new Dataset.Builder(width());
    }

    /** Whether rows are stored without their zeros: where there are many features and a row has a quarter of them at most. */
    public boolean sparse() {
        return width() > MANY && 4 * columns.size() <= width();
    }

    private int width() {
        return columns.stream().mapToInt(c -> c.width() + (c.marked() ? 1 : 0)).sum();
    }

    /**
     * Adds the features of a row to a builder.
     *
     * @param cells one per column: the number or the place of the category, NaN if missing, which must then be allowed
     */
    public void add(double[] cells, double label, int group, double weight, Dataset.Builder into) {
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

    /** The features of a row that are not zero. */
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
