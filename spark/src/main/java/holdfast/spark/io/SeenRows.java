package holdfast.spark.io;

import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.data.DatePart;
import holdfast.formats.Csv;
import holdfast.formats.Labels;
import holdfast.formats.LearntColumn;
import holdfast.formats.LibSvm;
import holdfast.formats.RowNumbers;
import holdfast.model.ModelFamily;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;

/** What was seen in some rows of a file: of one partition, or of several in their order. */
final class SeenRows implements Serializable {
    private static final long serialVersionUID = 1;

    /**
     * Row names that are mistaken for categories must not exhaust the memory: this is about 100 MB for each such column
     * of a task.
     */
    static final int MAX_CATEGORIES = 1 << 20;

    private long rows;
    private int width = -1;
    private String complaint;
    /** Labels as they are in the file, with the number of their first rows; no more than there can be classes. */
    private final Map<String, Long> labels = new LinkedHashMap<>();

    private final List<Seen> columns = new ArrayList<>();

    /** The cells of a feature column. */
    private static final class Seen implements Serializable {
        private static final long serialVersionUID = 1;

        private long present;
        /** The number of the first row with a cell, and the cell, if the column holds text. */
        private long firstRow;

        private String first;
        private final TreeMap<String, Long> words = new TreeMap<>();
        private final RowNumbers numbers = new RowNumbers();

        /** Returns how many cells are words of a kind. */
        long count(Predicate<String> kind) {
            return words.entrySet().stream()
                    .filter(e -> kind.test(e.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        void add(Seen next, long before) {
            numbers.merge(next.numbers);
            if (first == null && next.first != null) {
                first = next.first;
                firstRow = before + next.firstRow;
            }
            present += next.present;
            next.words.forEach((word, count) -> words.merge(word, count, Long::sum));
        }
    }

    private SeenRows(int features) {
        for (int i = 0; i < features; i++) {
            columns.add(new Seen());
        }
    }

    /** Looks at every row of a partition up to the first bad one. */
    static SeenRows of(RowLayout layout, Iterator<Row> part) {
        SeenRows seen = new SeenRows(layout.features().length);
        try {
            while (part.hasNext()) {
                seen.add(layout, part.next());
                seen.rows++;
            }
        } catch (InputException e) {
            seen.complaint = e.getMessage();
        }
        return seen;
    }

    private void add(RowLayout layout, Row row) {
        String y = labelOf(layout, row);
        Labels.requireBeThere(y, layout::atLabel);
        boolean fewLabels = labels.size() <= Labels.MAX_CLASSES;
        // With more labels than classes, only the first label that is not a number matters.
        if (fewLabels || Double.isNaN(Csv.number(y)) && labels.size() <= Labels.MAX_CLASSES + 1) {
            labels.putIfAbsent(y, rows + 1);
        }
        for (int i = 0; layout.form() == RowLayout.Form.CELLS && i < columns.size(); i++) {
            add(layout, i, row.get(layout.features()[i]));
        }
        layout.weightOf(row);
        layout.sourceOf(row);
    }

    private void add(RowLayout layout, int i, Object cell) {
        int column = layout.features()[i];
        Seen seen = columns.get(i);
        if (RowLayout.isMissing(cell)) {
            layout.requireMayBeMissing(column);
            return;
        }
        seen.present++;
        if (layout.categories()[i] == null) {
            double number = RowLayout.number(cell);
            if (Double.isNaN(number)) {
                throw layout.notANumber(cell, column);
            }
            seen.numbers.add(number);
            return;
        }
        String word = RowLayout.text(cell);
        if (seen.first == null) {
            seen.first = word;
            seen.firstRow = rows + 1;
        }
        seen.words.merge(word, 1L, Long::sum);
        if (seen.words.size() > MAX_CATEGORIES) {
            throw new InputException(
                    layout.at(column) + ": more than " + MAX_CATEGORIES + " different values; remove the column");
        }
    }

    private String labelOf(RowLayout layout, Row row) {
        if (layout.form() == RowLayout.Form.LINE) {
            LibSvm.Row line = LibSvm.Row.of(row.getString(0), layout::atLabel);
            int last = line.at().length;
            width = Math.max(width, last == 0 ? 0 : line.at()[last - 1] + 1);
            return line.requireHaveLabel(layout::atLabel);
        }
        layout.requireBeWhole(row);
        if (layout.form() == RowLayout.Form.VECTOR && row.get(layout.features()[0]) instanceof Vector vector) {
            width = Math.max(width, vector.size());
        }
        return RowLayout.text(row.get(layout.label()));
    }

    /** Combines what was seen in all partitions, in their order. */
    static SeenRows all(RowLayout layout, List<SeenRows> partitions) {
        SeenRows all = new SeenRows(layout.features().length);
        partitions.forEach(all::add);
        Check.that(all.complaint == null, "%s", all.complaint);
        Check.that(all.rows > 0, "%s: no data rows", layout.file());
        return all;
    }

    private void add(SeenRows next) {
        if (complaint != null) {
            return;
        }
        complaint = next.complaint == null
                ? null
                : next.complaint.replace(RowLayout.NUMBER, Long.toString(rows + next.rows + 1));
        next.labels.forEach((text, row) -> labels.putIfAbsent(text, rows + row));
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).add(next.columns.get(i), rows);
        }
        width = Math.max(width, next.width);
        rows += next.rows;
    }

    /**
     * Returns the layout with the categories that were seen.
     *
     * @param guessed whether the columns that hold text were guessed from the cells
     */
    RowLayout close(RowLayout layout, boolean guessed) {
        if (layout.form() != RowLayout.Form.CELLS) {
            return layout;
        }
        String[][] known = new String[columns.size()][];
        for (int i = 0; i < known.length; i++) {
            Seen seen = columns.get(i);
            String name = layout.names()[layout.features()[i]];
            Check.that(seen.present > 0, "%s: column %s is missing in every row", layout.file(), name);
            if (layout.categories()[i] == null) {
                layout.requireNoIdentifiers(i, seen.numbers.areIdentifiers(name) ? RowNumbers.reason() : null);
            } else {
                if (guessed) {
                    requireBeText(layout, i, seen);
                }
                known[i] = seen.words.keySet().toArray(String[]::new);
            }
        }
        return layout.with(known);
    }

    private static void requireBeText(RowLayout layout, int i, Seen seen) {
        int column = layout.features()[i];
        layout.requireNoDates(
                i, layout.settings()[i].dates() && 2 * seen.count(w -> !Double.isNaN(DatePart.days(w))) > seen.present);
        LearntColumn.requireBeText(
                layout.names()[column],
                layout.at(column).replace(RowLayout.NUMBER, Long.toString(seen.firstRow)),
                seen.first,
                seen.count(word -> !Double.isNaN(Csv.number(word))),
                seen.present);
        layout.requireNoIdentifiers(
                i,
                LearntColumn.areIdentifiers(seen.words.size(), seen.present)
                        ? LearntColumn.identifiers(seen.words.size(), seen.present)
                        : null);
    }

    /** Returns the names of the classes, for the model that a plan names; empty if labels are numbers. */
    List<String> classes(RowLayout layout, Choice<ModelFamily> model) {
        Labels all = new Labels(layout.file(), layout.labelName(), model);
        labels.forEach((text, row) ->
                all.add(text, () -> layout.atLabel().replace(RowLayout.NUMBER, Long.toString(row))));
        return all.finish(rows);
    }

    /** Returns the number of features of rows that have no cells. */
    int width(RowLayout layout) {
        Check.that(
                width > 0,
                "%s: there must be %s in some row",
                layout.file(),
                layout.form() == RowLayout.Form.LINE
                        ? "an index:value"
                        : "a vector of numbers in column " + layout.featuresName());
        return width;
    }
}
