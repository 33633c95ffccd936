package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.Encoding;
import holdfast.formats.Csv;
import holdfast.formats.Labels;
import holdfast.formats.LearntColumn;
import holdfast.formats.LibSvm;
import holdfast.model.Target;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

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
record Written(
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

    /** Beyond these many categories, all of a partition are different rows. */
    private static final int MOST_CATEGORIES = 1 << 20;

    /** What was learnt of some rows. */
    static final class Learnt implements Serializable {
        private static final long serialVersionUID = 1;

        private long rows;
        private int width = -1;
        private String complaint;
        /** As they are written, with the number of their first rows; no more than can be classes. */
        private final Map<String, Long> labels = new LinkedHashMap<>();

        private final List<TreeMap<String, Long>> categories = new ArrayList<>();

        private void add(Learnt next) {
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

    private String at(int column) {
        return file + ": row " + NUMBER + ", column " + (column + 1) + " (" + names[column] + ")";
    }

    private String atLabel() {
        return form == Form.LINE ? file + ": row " + NUMBER : at(label);
    }

    private static double number(Object cell) {
        if (cell instanceof Number number) {
            double value = number.doubleValue();
            return Double.isFinite(value) ? value : Double.NaN;
        }
        return cell instanceof String text ? Csv.number(text) : Double.NaN;
    }

    private static String text(Object cell) {
        return cell == null
                ? ""
                : cell instanceof Number n
                        ? Spec.print(n.doubleValue())
                        : cell.toString().strip();
    }

    /** Whether a cell is one of text. */
    static boolean isText(Object cell) {
        return Double.isNaN(number(cell)) && !Csv.isMissing(text(cell));
    }

    private boolean isWhole(Row row) {
        return form == Form.LINE || row.size() == names.length || row.isNullAt(names.length);
    }

    /** Looks at every row of a partition until one is wrong. */
    Learnt learn(Iterator<Row> part) {
        Learnt learnt = new Learnt();
        for (int i = 0; i < features.length; i++) {
            learnt.categories.add(new TreeMap<>());
        }
        try {
            while (part.hasNext()) {
                learn(part.next(), learnt);
                learnt.rows++;
            }
        } catch (InputException e) {
            learnt.complaint = e.getMessage();
        }
        return learnt;
    }

    private void learn(Row row, Learnt learnt) {
        String y = labelOf(row, learnt);
        Labels.mustBeThere(y, this::atLabel);
        boolean fewLabels = learnt.labels.size() <= Labels.MOST_CLASSES;
        // Of more labels than classes only those matter that are no numbers, and of these the first.
        if (fewLabels || Double.isNaN(Csv.number(y)) && learnt.labels.size() <= Labels.MOST_CLASSES + 1) {
            learnt.labels.putIfAbsent(y, learnt.rows + 1);
        }
        for (int i = 0; form == Form.CELLS && i < features.length; i++) {
            Object cell = row.get(features[i]);
            if (categories[i] == null) {
                mustBeNumber(cell, features[i]);
            } else {
                mustBeThere(cell, features[i]);
                TreeMap<String, Long> known = learnt.categories.get(i);
                known.merge(text(cell), 1L, Long::sum);
                Check.that(
                        known.size() <= MOST_CATEGORIES,
                        "%s: more than %d different values; remove the column",
                        at(features[i]),
                        MOST_CATEGORIES);
            }
        }
        weightOf(row);
        sourceOf(row);
    }

    private String labelOf(Row row, Learnt learnt) {
        if (form == Form.LINE) {
            LibSvm.Row line = LibSvm.Row.of(row.getString(0), this::atLabel);
            int last = line.at().length;
            learnt.width = Math.max(learnt.width, last == 0 ? 0 : line.at()[last - 1] + 1);
            return line.mustHaveLabel(this::atLabel);
        }
        Check.that(isWhole(row), "%s: row %s: must have %d cells like the first line", file, NUMBER, names.length);
        if (form == Form.VECTOR && !row.isNullAt(features[0])) {
            learnt.width = Math.max(learnt.width, row.<Vector>getAs(features[0]).size());
        }
        return text(row.get(label));
    }

    private void mustBeThere(Object cell, int column) {
        Check.that(
                !Csv.isMissing(text(cell)),
                "%s is missing; Spark trains on whole rows: fill the column or drop the row before",
                at(column));
    }

    private double mustBeNumber(Object cell, int column) {
        double number = number(cell);
        if (Double.isNaN(number)) {
            mustBeThere(cell, column);
            throw new InputException(at(column) + " must be a finite number, got '" + text(cell) + "'; if "
                    + names[column] + " holds categories, name it in one-hot");
        }
        return number;
    }

    private double weightOf(Row row) {
        double value = weight < 0 ? 1 : number(row.get(weight));
        Check.that(
                value > 0,
                "%s must be a weight, a number > 0, got '%s'",
                weight < 0 ? "" : at(weight),
                weight < 0 ? "" : text(row.get(weight)));
        return value;
    }

    private String sourceOf(Row row) {
        String name = source < 0 ? "" : text(row.get(source));
        Check.that(
                source < 0 || !name.isEmpty(),
                "%s must name a source, got an empty cell",
                source < 0 ? "" : at(source));
        return name;
    }

    /** What was learnt of all partitions, in their order. */
    Learnt all(List<Learnt> partitions) {
        Learnt all = new Learnt();
        partitions.forEach(all::add);
        Check.that(all.complaint == null, "%s", all.complaint);
        Check.that(all.rows > 0, "%s: no data rows", file);
        return all;
    }

    /** With the categories that were learnt. */
    Written with(Learnt learnt, boolean guessed, Row first) {
        String[][] known = new String[features.length][];
        for (int i = 0; i < known.length; i++) {
            if (categories[i] != null) {
                TreeMap<String, Long> counts = learnt.categories.get(i);
                if (guessed) {
                    LearntColumn.mustBeText(
                            names[features[i]],
                            at(features[i]).replace(NUMBER, "1"),
                            text(first.get(features[i])),
                            counts.entrySet().stream()
                                    .filter(e -> !Double.isNaN(Csv.number(e.getKey())))
                                    .mapToLong(Map.Entry::getValue)
                                    .sum(),
                            counts.size(),
                            learnt.rows);
                }
                known[i] = counts.keySet().toArray(String[]::new);
            }
        }
        return new Written(file, names, features, label, source, weight, form, known);
    }

    /** The names of the classes, none if labels are numbers, by the model that a plan names. */
    List<String> classes(Learnt learnt, Spec model) {
        Labels labels = new Labels(file, labelName(), model);
        learnt.labels.forEach((text, row) -> labels.add(text, () -> atLabel().replace(NUMBER, Long.toString(row))));
        return labels.finish(learnt.rows);
    }

    String labelName() {
        return form == Form.LINE ? "label" : names[label];
    }

    Dataset.Schema schema(Learnt learnt, List<String> classes) {
        if (form != Form.CELLS) {
            Check.that(learnt.width > 0, "%s: there must be an index:value in some row", file);
            return new Dataset.Schema(LibSvm.names(learnt.width), labelName(), classes, List.of());
        }
        Encoding encoding = new Encoding(IntStream.range(0, features.length)
                .mapToObj(i -> new Encoding.Column(
                        names[features[i]],
                        categories[i] == null ? List.of() : List.of(categories[i]),
                        List.of(),
                        false))
                .toList());
        return encoding.columns().stream().noneMatch(Encoding.Column::isText)
                ? new Dataset.Schema(encoding.features(), labelName(), classes, List.of())
                : new Dataset.Schema(encoding.features(), labelName(), classes, List.of(), encoding);
    }

    /** Whether rows are stored without their zeros; null: whatever their vectors say. */
    Boolean sparse(Dataset.Schema schema) {
        return form == Form.VECTOR
                ? null
                : (Boolean) (form == Form.LINE || schema.encoding().sparse());
    }

    /** What turns rows into features, label, weight and source, where they are. */
    Turning turning(Dataset.Schema schema, boolean number, boolean sparse) {
        return new Turning(this, schema.features().size(), schema.classes().toArray(String[]::new), number, sparse);
    }

    /**
     * @param width how many features there are
     * @param number whether labels are numbers
     * @param sparse whether vectors are
     */
    record Turning(Written written, int width, String[] classes, boolean number, boolean sparse)
            implements Serializable {
        Iterator<Row> each(Iterator<Row> part) {
            Labels labels = labels();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return part.hasNext();
                }

                @Override
                public Row next() {
                    return turn(part.next(), labels);
                }
            };
        }

        private Labels labels() {
            return new Labels(
                    written.file,
                    new Dataset.Schema(List.of(), written.labelName(), List.of(classes), List.of()),
                    number ? Target.NUMBER : Target.CLASSES);
        }

        /** The rows of a partition, or what is wrong with the first that is. */
        Iterator<Object> tried(Iterator<Row> part) {
            List<Object> turned = new ArrayList<>();
            Labels labels = labels();
            try {
                while (part.hasNext()) {
                    turned.add(turn(part.next(), labels));
                }
            } catch (InputException e) {
                turned.add(e.getMessage());
            }
            return turned.iterator();
        }

        private Row turn(Row row, Labels labels) {
            Supplier<String> at = written::atLabel;
            if (written.form == Form.LINE) {
                LibSvm.Row line = LibSvm.Row.of(row.getString(0), at);
                int count = line.within(width);
                return RowFactory.create(
                        Vectors.sparse(
                                width,
                                java.util.Arrays.copyOf(line.at(), count),
                                java.util.Arrays.copyOf(line.x(), count)),
                        labels.value(line.mustHaveLabel(at), at),
                        1.0,
                        "");
            }
            Check.that(
                    written.isWhole(row),
                    "%s: row %s: must have %d cells like the first line",
                    written.file,
                    NUMBER,
                    written.names.length);
            return RowFactory.create(
                    written.form == Form.VECTOR ? row.get(written.features[0]) : features(row),
                    labels.value(text(row.get(written.label)), at),
                    written.weightOf(row),
                    written.sourceOf(row));
        }

        private Vector features(Row row) {
            int[] at = new int[sparse ? written.features.length : 0];
            double[] x = new double[sparse ? at.length : width];
            int column = 0;
            for (int i = 0; i < written.features.length; i++) {
                Object cell = row.get(written.features[i]);
                String[] categories = written.categories[i];
                double value = 1;
                int place = column;
                if (categories == null) {
                    value = written.mustBeNumber(cell, written.features[i]);
                    column++;
                } else {
                    int known = java.util.Arrays.binarySearch(categories, text(cell));
                    if (known < 0) {
                        written.mustBeThere(cell, written.features[i]);
                        throw new InputException(written.at(written.features[i])
                                + " must be a category met in training, got '" + text(cell) + "'");
                    }
                    place += known;
                    column += categories.length;
                }
                if (sparse) {
                    at[i] = place;
                    x[i] = value;
                } else {
                    x[place] = value;
                }
            }
            return sparse ? Vectors.sparse(width, at, x) : Vectors.dense(x);
        }
    }

    /** A message of {@link Turning#tried} with the number of the row. */
    static InputException complaint(String message, long row) {
        return new InputException(message.replace(NUMBER, Long.toString(row)));
    }
}
