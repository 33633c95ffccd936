package holdfast.spark.io;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.InputException;
import holdfast.data.DatePart;
import holdfast.data.Schema;
import holdfast.formats.Csv;
import holdfast.formats.Labels;
import holdfast.formats.LibSvm;
import holdfast.model.Target;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Turns rows as they are in the file into a vector of cells or features, a label, a weight and the name of a source.
 *
 * @param width the number of cells or features
 * @param target what labels are
 */
record RowConverter(RowLayout layout, int width, String[] classes, Target target) implements Serializable {
    /** Converts the rows of a partition. All were checked before, except vectors, which are checked later. */
    Iterator<Row> each(Iterator<Row> part) {
        Labels labels = labels();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return part.hasNext();
            }

            @Override
            public Row next() {
                return convert(part.next(), labels, WrittenNumbers.ALL, 0);
            }
        };
    }

    /**
     * Converts the rows of a partition that count.
     *
     * @param unusable the sources whose rows do not count; rows whose labels are no classes do not either
     * @param written how the numbers in text columns are named
     * @param first the number of the partition's first row
     */
    Iterator<Row> each(Iterator<Row> part, Set<String> unusable, WrittenNumbers written, long first) {
        Labels labels = labels();
        return new Iterator<>() {
            private long number = first;
            private Row next;

            @Override
            public boolean hasNext() {
                while (next == null && part.hasNext()) {
                    Row row = part.next();
                    if (!unusable.contains(layout.anySourceOf(row))
                            && (classes.length == 0 || labels.knows(RowLayout.text(row.get(layout.label()))))) {
                        next = convert(row, labels, written, number);
                    }
                    number++;
                }
                return next != null;
            }

            @Override
            public Row next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Row found = next;
                next = null;
                return found;
            }
        };
    }

    private Row convert(Row row, Labels labels, WrittenNumbers written, long number) {
        Supplier<String> at = layout::atLabel;
        if (layout.form() == RowLayout.Form.LINE) {
            LibSvm.Row line = LibSvm.Row.of(row.getString(0), at);
            return RowFactory.create(
                    Vectors.sparse(width, line.at(), line.x()), labels.value(line.requireHaveLabel(at), at), 1.0, "");
        }
        return RowFactory.create(
                layout.form() == RowLayout.Form.VECTOR
                        ? row.get(layout.features()[0])
                        : Vectors.dense(cells(row, written, number)),
                labels.value(RowLayout.text(row.get(layout.label())), at),
                layout.weightOf(row),
                layout.sourceOf(row));
    }

    /** Returns numbers, or indices of categories; NaN if a cell is missing. */
    private double[] cells(Row row, WrittenNumbers written, long at) {
        double[] cells = new double[width];
        for (int i = 0; i < width; i++) {
            Object cell = row.get(layout.features()[i]);
            String[] categories = layout.categories()[i];
            DatePart part = layout.parts()[i];
            if (part == DatePart.NONE && categories == null) {
                cells[i] = RowLayout.number(cell);
            } else if (RowLayout.isMissing(cell)) {
                cells[i] = Double.NaN;
            } else {
                cells[i] = part == DatePart.NONE
                        ? Arrays.binarySearch(categories, written.name(i, cell, at))
                        : part.of(DatePart.days(RowLayout.text(cell)));
            }
        }
        return cells;
    }

    /**
     * A row for a model.
     *
     * @param at the columns of the values, ascending; null if all are there
     * @param cells numbers; NaN if one is missing or is a word
     * @param words for each column its word, null if it has none; null if no column holds words
     * @param complaint what is wrong with the row; null if nothing is
     */
    @DefaultSerializer(JavaSerializer.class)
    record Converted(int[] at, double[] cells, String[] words, double label, String complaint)
            implements Serializable {}

    /** Converts the rows of a partition up to the first bad one, which says what is wrong. */
    Iterator<Converted> tried(Iterator<Row> part) {
        List<Converted> converted = new ArrayList<>();
        Labels labels = labels();
        try {
            while (part.hasNext()) {
                converted.add(forModel(part.next(), labels));
            }
        } catch (InputException e) {
            converted.add(new Converted(null, null, null, 0, e.getMessage()));
        }
        return converted.iterator();
    }

    private Converted forModel(Row row, Labels labels) {
        Supplier<String> at = layout::atLabel;
        if (layout.form() == RowLayout.Form.LINE) {
            LibSvm.Row line = LibSvm.Row.of(row.getString(0), at);
            int count = line.within(width);
            return new Converted(
                    Arrays.copyOf(line.at(), count),
                    Arrays.copyOf(line.x(), count),
                    null,
                    labels.value(line.requireHaveLabel(at), at),
                    null);
        }
        layout.requireBeWhole(row);
        double label = labels.value(RowLayout.text(row.get(layout.label())), at);
        if (layout.form() == RowLayout.Form.VECTOR) {
            return new Converted(null, requireBeVector(row.get(layout.features()[0])), null, label, null);
        }
        double[] cells = new double[width];
        String[] words = new String[width];
        for (int i = 0; i < width; i++) {
            int column = layout.features()[i];
            Object cell = row.get(column);
            DatePart part = layout.parts()[i];
            cells[i] = Double.NaN;
            if (RowLayout.isMissing(cell)) {
                continue;
            }
            if (part != DatePart.NONE) {
                double days = Csv.days(RowLayout.text(cell), () -> layout.at(column));
                cells[i] = part.of(days);
                words[i] = part.categories().isEmpty() ? null : part.text(days);
            } else if (layout.categories()[i] != null) {
                words[i] = RowLayout.text(cell);
            } else {
                cells[i] = RowLayout.number(cell);
                if (Double.isNaN(cells[i])) {
                    throw layout.notANumber(cell, column);
                }
            }
        }
        return new Converted(null, cells, words, label, null);
    }

    private Labels labels() {
        return new Labels(
                layout.file(), new Schema(List.of(), layout.labelName(), List.of(classes), List.of()), target);
    }

    private double[] requireBeVector(Object cell) {
        String instead = insteadOfVector(cell);
        if (instead != null) {
            throw new InputException(layout.at(layout.features()[0]) + " must be a vector of " + width
                    + " finite numbers, got " + instead);
        }
        return ((Vector) cell).toArray();
    }

    private String insteadOfVector(Object cell) {
        if (!(cell instanceof Vector vector)) {
            return cell == null ? "null" : "'" + RowLayout.text(cell) + "'";
        }
        if (vector.size() != width) {
            return vector.size() + " of them";
        }
        return Arrays.stream(vector.toArray())
                .filter(x -> !Double.isFinite(x))
                .mapToObj(Double::toString)
                .findFirst()
                .orElse(null);
    }
}
