package holdfast.spark.io;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.data.DatePart;
import holdfast.formats.ColumnSettings;
import holdfast.formats.Csv;
import holdfast.formats.DecidedColumn;
import holdfast.formats.Labels;
import holdfast.formats.LearntColumn;
import holdfast.formats.LeftOutColumns;
import holdfast.formats.LibSvm;
import holdfast.formats.RowNumbers;
import holdfast.model.ModelFamily;
import holdfast.plan.Plan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    /**
     * A cell of a column of text.
     *
     * @param row counted from 1
     */
    @DefaultSerializer(JavaSerializer.class)
    private record Word(String text, long row) implements Serializable {
        /** Returns the first of two cells, which may be null; {@code before} rows come before those of the second. */
        static Word first(Word own, Word next, long before) {
            return own != null || next == null ? own : new Word(next.text, before + next.row);
        }

        String at(RowLayout layout, int feature) {
            return layout.at(layout.features()[feature]).replace(RowLayout.NUMBER, Long.toString(row));
        }
    }

    /** The cells of a feature column. */
    private static final class Seen implements Serializable {
        private static final long serialVersionUID = 1;

        private long present;
        /** The first cell, and the first that is not a date, if the column holds text. */
        private Word first;

        private Word notADate;
        private final TreeMap<String, Long> words = new TreeMap<>();
        private final RowNumbers numbers = new RowNumbers();

        void add(Seen next, long before) {
            numbers.merge(next.numbers);
            first = Word.first(first, next.first, before);
            notADate = Word.first(notADate, next.notADate, before);
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
            seen.first = new Word(word, rows + 1);
        }
        boolean isNew = seen.words.merge(word, 1L, Long::sum) == 1;
        if (isNew
                && seen.notADate == null
                && layout.settings()[i].mayHoldDates()
                && Double.isNaN(DatePart.days(word))) {
            seen.notADate = new Word(word, rows + 1);
        }
        if (seen.words.size() > MAX_CATEGORIES) {
            throw new InputException(layout.tooManyCategories(column));
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

    /** Returns the layout of the table's columns, with the categories that were seen, and says which are left out. */
    RowLayout close(RowLayout layout, Plan plan) {
        if (layout.form() != RowLayout.Form.CELLS) {
            return layout;
        }
        String[][] known = new String[columns.size()][];
        List<DecidedColumn> decided = new ArrayList<>();
        for (int i = 0; i < known.length; i++) {
            Seen seen = columns.get(i);
            ColumnSettings settings = layout.settings()[i];
            Check.that(seen.present > 0, "%s: column %s is missing in every row", layout.file(), settings.name());
            if (layout.categories()[i] == null) {
                decided.add(DecidedColumn.ofNumbers(settings, seen.numbers));
            } else {
                known[i] = seen.words.keySet().toArray(String[]::new);
                decided.add(DecidedColumn.ofText(
                        settings,
                        List.of(known[i]),
                        List.copyOf(seen.words.values()),
                        seen.first.text,
                        seen.first.at(layout, i),
                        seen.notADate == null
                                ? null
                                : LearntColumn.notADate(seen.notADate.at(layout, i), seen.notADate.text)));
            }
        }
        LeftOutColumns.warn(layout.file(), decided);
        return layout.decided(decided, known, plan);
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
