package holdfast.spark;

import holdfast.InputException;
import holdfast.data.Schema;
import holdfast.formats.Labels;
import holdfast.formats.LibSvm;
import holdfast.model.Target;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Turns rows as they are written into a vector of features, a label, a weight and the name of a source.
 *
 * @param width how many features there are
 * @param number whether labels are numbers
 * @param sparse whether vectors are
 * @param unmet for each column, ascending, the values that no training row has: no features, so those of the column are 0
 */
record RowConverter(RowLayout written, int width, String[] classes, boolean number, boolean sparse, String[][] unmet)
        implements Serializable {
    /** The rows of a partition; all were looked at before, but for vectors, which {@link Table} will look at. */
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

    /** The rows of a partition, or what is wrong with the first that is. */
    Iterator<Object> tried(Iterator<Row> part) {
        List<Object> turned = new ArrayList<>();
        Labels labels = labels();
        try {
            while (part.hasNext()) {
                Row row = part.next();
                if (written.form() == RowLayout.Form.VECTOR) {
                    requireBeVector(row.get(written.features()[0]));
                }
                turned.add(turn(row, labels));
            }
        } catch (InputException e) {
            turned.add(e.getMessage());
        }
        return turned.iterator();
    }

    private Labels labels() {
        return new Labels(
                written.file(),
                new Schema(List.of(), written.labelName(), List.of(classes), List.of()),
                number ? Target.NUMBER : Target.CLASSES);
    }

    private void requireBeVector(Object cell) {
        String instead = insteadOfVector(cell);
        if (instead != null) {
            throw new InputException(written.at(written.features()[0]) + " must be a vector of " + width
                    + " finite numbers, got " + instead);
        }
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

    private Row turn(Row row, Labels labels) {
        Supplier<String> at = written::atLabel;
        if (written.form() == RowLayout.Form.LINE) {
            LibSvm.Row line = LibSvm.Row.of(row.getString(0), at);
            int count = line.within(width);
            return RowFactory.create(
                    Vectors.sparse(width, Arrays.copyOf(line.at(), count), Arrays.copyOf(line.x(), count)),
                    labels.value(line.requireHaveLabel(at), at),
                    1.0,
                    "");
        }
        written.requireBeWhole(row);
        return RowFactory.create(
                written.form() == RowLayout.Form.VECTOR ? row.get(written.features()[0]) : features(row),
                labels.value(RowLayout.text(row.get(written.label())), at),
                written.weightOf(row),
                written.sourceOf(row));
    }

    private Vector features(Row row) {
        int[] at = new int[sparse ? written.features().length : 0];
        double[] x = new double[sparse ? at.length : width];
        int column = 0;
        int count = 0;
        for (int i = 0; i < written.features().length; i++) {
            int from = written.features()[i];
            Object cell = row.get(from);
            String[] categories = written.categories()[i];
            double value = 1;
            int place = column;
            if (categories == null) {
                value = written.requireBeNumber(cell, from);
                column++;
            } else {
                int known = Arrays.binarySearch(categories, RowLayout.text(cell));
                if (known < 0 && Arrays.binarySearch(unmet[i], RowLayout.text(cell)) >= 0) {
                    column += categories.length;
                    continue;
                }
                if (known < 0) {
                    written.requireBeThere(cell, from);
                    throw new InputException(written.at(from) + " must be a category met in training, got '"
                            + RowLayout.text(cell) + "'");
                }
                place += known;
                column += categories.length;
            }
            if (sparse) {
                at[count] = place;
                x[count++] = value;
            } else {
                x[place] = value;
            }
        }
        return sparse ? Vectors.sparse(width, Arrays.copyOf(at, count), Arrays.copyOf(x, count)) : Vectors.dense(x);
    }
}
