package holdfast.data;

import holdfast.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * How the columns of a table become features: a column of numbers is one, a column of text is one per category, 1 for the
 * row's own and 0 for the others. Learnt from training data and kept with the model, so that later rows become features
 * alike.
 *
 * @param columns in the order of their features; none: the columns are the features
 */
public record Encoding(List<Column> columns) {
    /** The columns are the features, and no cell may be missing. */
    public static final Encoding NONE = new Encoding(List.of());

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
        private int width() {
            return isText() ? categories.size() : 1;
        }

        /** The place of a category, NaN if there is no such. */
        public double category(String text) {
            int at = Collections.binarySearch(categories, text);
            return at < 0 ? Double.NaN : at;
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

    /** A builder for the features. */
    public Dataset.Builder builder() {
        return builder(Dataset.Builder::new);
    }

    /** @param dense makes the builder where it is not sparse, for so many features */
    public Dataset.Builder builder(IntFunction<Dataset.Builder> dense) {
        return sparse() ? Dataset.Builder.sparse(width()) : dense.apply(width());
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
            Check.that(!missing || column.mayBeMissing(), "column %s: a value is missing", column.name());
            if (missing) {
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
            width = start + place;
            next(1);
            width = start + of;
        }
    }
}
