package holdfast.spark.io;

import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.DatePart;
import holdfast.data.TableColumn;
import holdfast.formats.ColumnSettings;
import holdfast.formats.Csv;
import holdfast.formats.DecidedColumn;
import holdfast.formats.LearntColumn;
import holdfast.formats.ShellArgument;
import holdfast.formats.SourceFacts;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;

/**
 * The layout of a file's rows: which columns hold what, by the rules of the readers of {@link holdfast.formats}.
 *
 * @param names of the columns
 * @param features the indices of the feature columns; several columns of the table can be made of one that holds dates
 * @param source the index of the column, like the next; -1: there is none
 * @param form what the features are made of
 * @param missing what happens to missing cells
 * @param categories of each feature column, ascending but for parts of dates; null for a column of numbers
 * @param settings what the plan says about each feature column
 * @param parts what each feature column takes from dates
 */
record RowLayout(
        String file,
        String[] names,
        int[] features,
        int label,
        int source,
        int weight,
        Form form,
        TableColumn.Missing missing,
        String[][] categories,
        ColumnSettings[] settings,
        DatePart[] parts)
        implements Serializable {

    /** What the features are made of. */
    enum Form {
        /** One cell each. */
        CELLS,
        /** A whole line of LIBSVM, label included. */
        LINE,
        /** One vector. */
        VECTOR
    }

    /** Stands for the number of the row in messages made where only its place in a partition is known. */
    static final String NUMBER = SourceFacts.ROW;

    /**
     * Returns the layout of the table's columns, without those that are left out.
     *
     * @param decided about each feature
     * @param known the categories of each feature; null if it holds numbers
     */
    RowLayout decided(List<DecidedColumn> decided, String[][] known, Plan plan) {
        List<DecidedColumn.Origin> columns =
                DecidedColumn.table(decided, plan.get(PlanKey.DATES).parts());
        return new RowLayout(
                file,
                names,
                columns.stream().mapToInt(c -> features[c.from()]).toArray(),
                label,
                source,
                weight,
                form,
                missing,
                columns.stream()
                        .map(c -> c.part() == DatePart.NONE ? known[c.from()] : texts(c.part()))
                        .toArray(String[][]::new),
                columns.stream().map(c -> settings[c.from()]).toArray(ColumnSettings[]::new),
                columns.stream().map(DecidedColumn.Origin::part).toArray(DatePart[]::new));
    }

    private static String[] texts(DatePart part) {
        return part.categories().isEmpty() ? null : part.categories().toArray(String[]::new);
    }

    /** Returns the columns of the same names in another file; the model needs no source or weight there. */
    RowLayout in(String other, String[] columns, int[] places, int labelPlace) {
        return new RowLayout(other, columns, places, labelPlace, -1, -1, form, missing, categories, settings, parts);
    }

    /** The columns of a table with one cell each. */
    List<TableColumn> columns() {
        return form != Form.CELLS
                ? List.of()
                : IntStream.range(0, features.length)
                        .mapToObj(i -> new TableColumn(
                                parts[i].column(names[features[i]]),
                                categories[i] == null ? List.of() : List.of(categories[i]),
                                missing,
                                parts[i]))
                        .toList();
    }

    RowConverter converter(int width, List<String> classes, Target target) {
        return new RowConverter(this, width, classes.toArray(String[]::new), target);
    }

    String at(int column) {
        return file + ": row " + NUMBER + ", column " + (column + 1) + " (" + names[column] + ")";
    }

    /** Begins what is wrong with a row. */
    String atRow() {
        return file + ": row " + NUMBER + ": ";
    }

    String atLabel() {
        return form == Form.LINE ? file + ": row " + NUMBER : at(label);
    }

    static double number(Object cell) {
        if (cell instanceof Number number) {
            double value = number.doubleValue();
            return Double.isFinite(value) ? value : Double.NaN;
        }
        return cell instanceof String text ? Csv.number(text) : Double.NaN;
    }

    /**
     * Returns a cell as a CSV file would have it; whole and decimal numbers to the last digit, because they may be
     * names.
     */
    static String text(Object cell) {
        if (cell == null) {
            return "";
        }
        if (cell instanceof BigDecimal exact) {
            return exact.stripTrailingZeros().toPlainString();
        }
        return cell instanceof Double || cell instanceof Float
                ? Spec.print(((Number) cell).doubleValue())
                : cell.toString().strip();
    }

    static boolean isMissing(Object cell) {
        return Double.isNaN(number(cell)) && Csv.isMissing(text(cell));
    }

    /** Returns which of these columns hold text, judging by their first cells that are not missing. */
    static boolean[] text(JavaRDD<Row> rows, int[] columns, TableColumn.Missing missing) {
        boolean[] text = new boolean[columns.length];
        boolean[] known = new boolean[columns.length];
        // If no cell may be missing, the first row decides; if it has a missing cell, it is refused later.
        List<Boolean[]> found = missing == TableColumn.Missing.FAIL
                ? List.<Boolean[]>of(firstKinds(rows.take(1).iterator(), columns))
                : rows.mapPartitions(part ->
                                List.<Boolean[]>of(firstKinds(part, columns)).iterator())
                        .collect();
        for (Boolean[] here : found) {
            for (int i = 0; i < columns.length; i++) {
                if (!known[i] && here[i] != null) {
                    known[i] = true;
                    text[i] = here[i];
                }
            }
        }
        return text;
    }

    /** Returns for each column whether its first present cell is text; null if no cell is present. */
    private static Boolean[] firstKinds(Iterator<Row> rows, int[] columns) {
        Boolean[] kinds = new Boolean[columns.length];
        int left = columns.length;
        while (left > 0 && rows.hasNext()) {
            Row row = rows.next();
            for (int i = 0; i < columns.length; i++) {
                Object cell = row.get(columns[i]);
                if (kinds[i] == null && !isMissing(cell)) {
                    kinds[i] = Double.isNaN(number(cell));
                    left--;
                }
            }
        }
        return kinds;
    }

    void requireBeWhole(Row row) {
        if (row.size() != names.length && !row.isNullAt(names.length)) {
            throw new InputException(
                    file + ": row " + NUMBER + ": must have " + names.length + " cells like the first line");
        }
    }

    /** @throws InputException for a missing cell, unless the plan says what to do with it */
    void requireMayBeMissing(int column) {
        LearntColumn.requireMayBeMissing(missing, () -> at(column));
    }

    String tooManyCategories(int column) {
        return file + ": column " + names[column] + ": more than " + SeenRows.MAX_CATEGORIES + " different values; use "
                + ShellArgument.option("--drop", names[column]);
    }

    InputException notANumber(Object cell, int column) {
        return new InputException(at(column) + " must be a finite number, got '" + text(cell) + "'; if " + names[column]
                + " holds categories, name it in --one-hot");
    }

    double weightOf(Row row) {
        double value = weight < 0 ? 1 : number(row.get(weight));
        if (!(value > 0)) {
            throw new InputException(Csv.notAWeight(at(weight), text(row.get(weight))));
        }
        return value;
    }

    /** Returns whether a row has the weight 0, so that it is there no times. */
    static boolean isWeightless(Row row, int weight) {
        return row.size() > weight && number(row.get(weight)) == 0;
    }

    String sourceOf(Row row) {
        String name = source < 0 ? "" : text(row.get(source));
        if (source >= 0 && name.isEmpty()) {
            throw new InputException(at(source) + " must name a source, got an empty cell");
        }
        return name;
    }

    /** Returns the name of a row's source, with a name for rows that name none. */
    String anySourceOf(Row row) {
        String name = text(row.get(source));
        return name.isEmpty() ? SourceFacts.NO_SOURCE : name;
    }

    String labelName() {
        return form == Form.LINE ? "label" : names[label];
    }

    /** The name of the features if they are one column. */
    String featuresName() {
        return form == Form.VECTOR ? names[features[0]] : "features";
    }

    /** Makes an error with the number of the row in its message. */
    static InputException complaint(String message, long row) {
        return new InputException(message.replace(NUMBER, Long.toString(row)));
    }
}
