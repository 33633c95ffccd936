package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.Schema;
import holdfast.formats.Csv;
import holdfast.formats.Labels;
import holdfast.formats.LearntColumn;
import holdfast.formats.LibSvm;
import holdfast.preparation.Encoding;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;

/**
 * How the rows of a file are written, and what they become: a vector of features, a label, a weight and the name of a
 * source. By the rules of the readers of {@link holdfast.formats}, so that features and classes have the names and the order
 * that they have there.
 *
 * @param names of the columns
 * @param features by place
 * @param source by place, as the next; -1: there is none
 * @param form what the features are made of
 * @param categories of each feature column, ascending; null for a column of numbers
 */
record RowLayout(
        String file,
        String[] names,
        int[] features,
        int label,
        int source,
        int weight,
        Form form,
        String[][] categories)
        implements Serializable {

    /** What the features are made of. */
    enum Form {
        /** A cell each. */
        CELLS,
        /** A line of LIBSVM, after which nothing comes. */
        LINE,
        /** One vector. */
        VECTOR
    }

    /** Where the number of the row goes in a message that was made where only its place in a partition was known. */
    private static final String NUMBER = "\u0000";

    /** Names of rows, taken for categories, must not exhaust the memory: about 100 MB for each such column of a task. */
    private static final int MAX_CATEGORIES = 1 << 20;

    /** What was seen in some rows. */
    static final class Seen implements Serializable {
        private static final long serialVersionUID = 1;

        private long rows;
        private int width = -1;
        private String complaint;
        /** As they are written, with the number of their first rows; no more than can be classes. */
        private final Map<String, Long> labels = new LinkedHashMap<>();

        private final List<TreeMap<String, Long>> categories = new ArrayList<>();

        private void add(Seen next) {
            if (complaint != null) {
                return;
            }
            complaint =
                    next.complaint == null ? null : next.complaint.replace(NUMBER, Long.toString(rows + next.rows + 1));
            next.labels.forEach((text, row) -> labels.putIfAbsent(text, rows + row));
            for (int i = 0; i < next.categories.size(); i++) {
                if (categories.size() == i) {
                    categories.add(new TreeMap<>());
                }
                TreeMap<String, Long> known = categories.get(i);
                next.categories.get(i).forEach((text, count) -> known.merge(text, count, Long::sum));
            }
            width = Math.max(width, next.width);
            rows += next.rows;
        }
    }

    String at(int column) {
        return file + ": row " + NUMBER + ", column " + (column + 1) + " (" + names[column] + ")";
    }

    String atLabel() {
        return form == Form.LINE ? file + ": row " + NUMBER : at(label);
    }

    private static double number(Object cell) {
        if (cell instanceof Number number) {
            double value = number.doubleValue();
            return Double.isFinite(value) ? value : Double.NaN;
        }
        return cell instanceof String text ? Csv.number(text) : Double.NaN;
    }

    /** As a CSV file would have it; whole and decimal numbers to the last digit, as they may be names. */
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

    /** Whether a cell is one of text. */
    static boolean isText(Object cell) {
        return Double.isNaN(number(cell)) && !Csv.isMissing(text(cell));
    }

    void requireBeWhole(Row row) {
        if (row.size() != names.length && !row.isNullAt(names.length)) {
            throw new InputException(
                    file + ": row " + NUMBER + ": must have " + names.length + " cells like the first line");
        }
    }

    /** Looks at every row of a partition until one is wrong. */
    Seen learn(Iterator<Row> part) {
        Seen seen = new Seen();
        for (int i = 0; i < features.length; i++) {
            seen.categories.add(new TreeMap<>());
        }
        try {
            while (part.hasNext()) {
                learn(part.next(), seen);
                seen.rows++;
            }
        } catch (InputException e) {
            seen.complaint = e.getMessage();
        }
        return seen;
    }

    private void learn(Row row, Seen seen) {
        String y = labelOf(row, seen);
        Labels.requireBeThere(y, this::atLabel);
        boolean fewLabels = seen.labels.size() <= Labels.MAX_CLASSES;
        // Of more labels than classes only those matter that are no numbers, and of these the first.
        if (fewLabels || Double.isNaN(Csv.number(y)) && seen.labels.size() <= Labels.MAX_CLASSES + 1) {
            seen.labels.putIfAbsent(y, seen.rows + 1);
        }
        for (int i = 0; form == Form.CELLS && i < features.length; i++) {
            Object cell = row.get(features[i]);
            if (categories[i] == null) {
                requireBeNumber(cell, features[i]);
            } else {
                requireBeThere(cell, features[i]);
                TreeMap<String, Long> known = seen.categories.get(i);
                known.merge(text(cell), 1L, Long::sum);
                if (known.size() > MAX_CATEGORIES) {
                    throw new InputException(
                            at(features[i]) + ": more than " + MAX_CATEGORIES + " different values; remove the column");
                }
            }
        }
        weightOf(row);
        sourceOf(row);
    }

    private String labelOf(Row row, Seen seen) {
        if (form == Form.LINE) {
            LibSvm.Row line = LibSvm.Row.of(row.getString(0), this::atLabel);
            int last = line.at().length;
            seen.width = Math.max(seen.width, last == 0 ? 0 : line.at()[last - 1] + 1);
            return line.requireHaveLabel(this::atLabel);
        }
        requireBeWhole(row);
        if (form == Form.VECTOR && row.get(features[0]) instanceof Vector vector) {
            seen.width = Math.max(seen.width, vector.size());
        }
        return text(row.get(label));
    }

    void requireBeThere(Object cell, int column) {
        if (Csv.isMissing(text(cell))) {
            throw new InputException(
                    at(column) + " is missing; Spark trains on whole rows: fill the column or drop the row before");
        }
    }

    double requireBeNumber(Object cell, int column) {
        double number = number(cell);
        if (Double.isNaN(number)) {
            requireBeThere(cell, column);
            throw new InputException(at(column) + " must be a finite number, got '" + text(cell) + "'; if "
                    + names[column] + " holds categories, name it in one-hot");
        }
        return number;
    }

    double weightOf(Row row) {
        double value = weight < 0 ? 1 : number(row.get(weight));
        if (!(value > 0)) {
            throw new InputException(
                    at(weight) + " must be a weight, a number > 0, got '" + text(row.get(weight)) + "'");
        }
        return value;
    }

    String sourceOf(Row row) {
        String name = source < 0 ? "" : text(row.get(source));
        if (source >= 0 && name.isEmpty()) {
            throw new InputException(at(source) + " must name a source, got an empty cell");
        }
        return name;
    }

    /** What was learnt of all partitions, in their order. */
    Seen all(List<Seen> partitions) {
        Seen all = new Seen();
        partitions.forEach(all::add);
        Check.that(all.complaint == null, "%s", all.complaint);
        Check.that(all.rows > 0, "%s: no data rows", file);
        return all;
    }

    /** With the categories that were seen. */
    RowLayout with(Seen seen, boolean guessed, Row first) {
        String[][] known = new String[features.length][];
        for (int i = 0; i < known.length; i++) {
            if (categories[i] != null) {
                TreeMap<String, Long> counts = seen.categories.get(i);
                if (guessed) {
                    LearntColumn.requireBeText(
                            names[features[i]],
                            at(features[i]).replace(NUMBER, "1"),
                            text(first.get(features[i])),
                            counts.entrySet().stream()
                                    .filter(e -> !Double.isNaN(Csv.number(e.getKey())))
                                    .mapToLong(Map.Entry::getValue)
                                    .sum(),
                            counts.size(),
                            seen.rows);
                }
                known[i] = counts.keySet().toArray(String[]::new);
            }
        }
        return new RowLayout(file, names, features, label, source, weight, form, known);
    }

    /** The names of the classes, none if labels are numbers, by the model that a plan names. */
    List<String> classes(Seen seen, Spec model) {
        Labels labels = new Labels(file, labelName(), model);
        seen.labels.forEach((text, row) -> labels.add(text, () -> atLabel().replace(NUMBER, Long.toString(row))));
        return labels.finish(seen.rows);
    }

    String labelName() {
        return form == Form.LINE ? "label" : names[label];
    }

    /** What the features are called where they are one column. */
    String featuresName() {
        return form == Form.VECTOR ? names[features[0]] : "features";
    }

    Schema schema(Seen seen, List<String> classes) {
        if (form != Form.CELLS) {
            Check.that(
                    seen.width > 0,
                    "%s: there must be %s in some row",
                    file,
                    form == Form.LINE ? "an index:value" : "a vector of numbers in column " + featuresName());
            return new Schema(LibSvm.names(seen.width), labelName(), classes, List.of());
        }
        return new Schema(columnEncoding().features(), labelName(), classes, List.of());
    }

    /** How the columns become features. */
    Encoding encoding() {
        if (form != Form.CELLS || !hasText()) {
            return Encoding.NONE;
        }
        return columnEncoding();
    }

    private Encoding columnEncoding() {
        return new Encoding(IntStream.range(0, features.length)
                .mapToObj(i -> new Encoding.Column(
                        names[features[i]],
                        categories[i] == null ? List.of() : List.of(categories[i]),
                        List.of(),
                        false))
                .toList());
    }

    /** Whether rows are stored without their zeros; null: whatever their vectors say. */
    Boolean sparse(Schema schema) {
        return form == Form.VECTOR
                ? null
                : (Boolean) (form == Form.LINE || encoding().sparse());
    }

    /** With those of the categories only whose features are among these. */
    RowLayout only(BitSet met) {
        String[][] own = new String[categories.length][];
        int feature = 0;
        for (int i = 0; i < own.length; i++) {
            int first = feature;
            String[] all = categories[i];
            feature += all == null ? 1 : all.length;
            own[i] = all == null
                    ? null
                    : IntStream.range(0, all.length)
                            .filter(k -> met.get(first + k))
                            .mapToObj(k -> all[k])
                            .toArray(String[]::new);
        }
        return new RowLayout(file, names, features, label, source, weight, form, own);
    }

    /** For each feature column the categories that another has and this has not. */
    String[][] unmet(RowLayout other) {
        return IntStream.range(0, categories.length)
                .mapToObj(i -> categories[i] == null
                        ? new String[0]
                        : Arrays.stream(other.categories[i])
                                .filter(c -> Arrays.binarySearch(categories[i], c) < 0)
                                .toArray(String[]::new))
                .toArray(String[][]::new);
    }

    boolean hasText() {
        return Arrays.stream(categories).anyMatch(Objects::nonNull);
    }

    /**
     * Warns of values that rows held out have and no training row.
     *
     * @param unmet by column
     */
    void warn(String[][] unmet, Seen seen, Schema schema) {
        for (int i = 0; i < unmet.length; i++) {
            if (unmet[i].length > 0) {
                long rows = Arrays.stream(unmet[i])
                        .mapToLong(seen.categories.get(i)::get)
                        .sum();
                encoding().columns().get(i).warnOfUnknown(file, rows, unmet[i][0]);
            }
        }
    }

    /**
     * What turns rows into features, label, weight and source, where they are.
     *
     * @param all knows the categories that make no features, but may be met
     */
    RowConverter turning(Schema schema, boolean number, boolean sparse, RowLayout all) {
        return new RowConverter(
                this, schema.features().size(), schema.classes().toArray(String[]::new), number, sparse, unmet(all));
    }

    /** A message of {@link RowConverter#tried} with the number of the row. */
    static InputException complaint(String message, long row) {
        return new InputException(message.replace(NUMBER, Long.toString(row)));
    }
}
