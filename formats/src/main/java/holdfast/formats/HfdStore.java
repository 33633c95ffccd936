package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Store;
import holdfast.data.TableColumn;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;

/** The rows of an .hfd file, mapped into memory. */
final class HfdStore implements Store {
    private final Json header;
    private final int rows;
    private final int columns;
    private final MappedNumbers values;
    private final MappedNumbers labels;
    private final MappedNumbers weights;
    private final MappedNumbers groups;

    HfdStore(Json header, boolean floats, FileChannel file, long start, long end) throws IOException {
        this.header = header;
        this.rows = header.integer("rows");
        this.columns = header.texts("features").size();
        boolean weighted = header.bool("weighted");
        boolean grouped = !header.texts("groups").isEmpty();
        long each = (long) Double.BYTES * rows;
        long afterValues = start + (long) valueBytes(floats) * rows * columns;
        long afterLabels = afterValues + each;
        long afterWeights = afterLabels + (weighted ? each : 0);
        Check.that(
                rows > 0 && columns > 0 && afterWeights + (grouped ? each : 0) == end,
                "%s: %d rows of %d features do not make up the file",
                header.file(),
                rows,
                columns);
        this.values = new MappedNumbers(file, start, rows, columns, floats);
        this.labels = new MappedNumbers(file, afterValues, rows, 1);
        this.weights = weighted ? new MappedNumbers(file, afterLabels, rows, 1) : null;
        this.groups = grouped ? new MappedNumbers(file, afterWeights, rows, 1) : null;
    }

    /** Returns the size of one value. */
    static int valueBytes(boolean floats) {
        return floats ? Float.BYTES : Double.BYTES;
    }

    /**
     * Rejects what would later be an index out of bounds; a checksum does not protect against a file made by a
     * stranger.
     */
    void requireBeSound() {
        int classes = header.texts("classes").size();
        for (int r = 0; r < rows; r++) {
            double label = label(r);
            Check.that(
                    classes == 0 ? Double.isFinite(label) : isIndex(label, classes),
                    "%s: row %d: the label must be a finite number or one of %d classes, got %s",
                    header.file(),
                    r + 1,
                    classes,
                    label);
            Check.that(
                    weights == null || weight(r) > 0 && Double.isFinite(weight(r)),
                    "%s: row %d: the weight must be finite and > 0, got %s",
                    header.file(),
                    r + 1,
                    weights == null ? 1 : weight(r));
        }
        if (header.node().has("table")) {
            requireBeCells(Hfd.columns(header));
        }
    }

    private void requireBeCells(List<TableColumn> table) {
        Check.that(
                table.size() == columns,
                "%s: the table must have %d columns, got %d",
                header.file(),
                columns,
                table.size());
        double[] row = new double[columns];
        for (int r = 0; r < rows; r++) {
            read(r, row, 0);
            for (int c = 0; c < columns; c++) {
                TableColumn column = table.get(c);
                boolean sound = Double.isNaN(row[c])
                        ? column.missing() != TableColumn.Missing.FAIL
                        : column.isText() ? isIndex(row[c], column.categories().size()) : Double.isFinite(row[c]);
                if (!sound) {
                    throw new InputException(header.file() + ": row " + (r + 1) + ", column " + column.name()
                            + ": a cell cannot be " + row[c]);
                }
            }
        }
    }

    private static boolean isIndex(double number, int count) {
        return number >= 0 && number < count && number == Math.rint(number);
    }

    int[] groups() {
        if (groups == null) {
            return null;
        }
        int count = header.texts("groups").size();
        int[] out = new int[rows];
        for (int r = 0; r < rows; r++) {
            double group = groups.get(r, 0);
            Check.that(
                    isIndex(group, count),
                    "%s: row %d: the source must be one of %d, got %s",
                    header.file(),
                    r + 1,
                    count,
                    group);
            out[r] = (int) group;
        }
        return out;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public void read(int row, double[] into, int offset) {
        values.read(row, into, offset, columns);
    }

    @Override
    public double label(int row) {
        return labels.get(row, 0);
    }

    @Override
    public boolean weighted() {
        return weights != null;
    }

    @Override
    public double weight(int row) {
        return weights == null ? 1 : weights.get(row, 0);
    }
}
