package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Store;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Turns the cells of one table into features by an encoding, which may have been learnt from another table. */
final class TableEncoder {
    private final Dataset cells;
    private final String file;
    private final Encoding encoding;
    private final List<TableColumn> table;
    /** For each column of the encoding, its index in the table. */
    private final int[] from;
    /**
     * For each text column, the argument that {@link Encoding#add} takes for every category of the table: its index;
     * NaN if the encoding does not have it and it counts as missing; else {@link Encoding#UNKNOWN}. Null for numbers.
     */
    private final double[][] places;

    /**
     * Creates an encoder.
     *
     * @param of the table; the encoding's columns are found in it by name
     */
    TableEncoder(Table of, Encoding encoding) {
        this.cells = of.cells();
        this.file = of.source().name();
        this.encoding = encoding;
        this.table = of.columns();
        Map<String, Integer> byName = new HashMap<>();
        table.forEach(column -> byName.put(column.name(), byName.size()));
        this.from = new int[encoding.columns().size()];
        this.places = new double[from.length][];
        for (int c = 0; c < from.length; c++) {
            Encoding.Column wanted = encoding.columns().get(c);
            Integer at = byName.get(wanted.name());
            Check.that(at != null, "%s: must have the features of the model, got no column '%s'", file, wanted.name());
            TableColumn column = table.get(at);
            Check.that(
                    column.isText() == wanted.isText(),
                    "%s: column %s must hold %s as in training, got %s",
                    file,
                    wanted.name(),
                    wanted.isText() ? "text" : "numbers",
                    column.isText() ? "text" : "numbers");
            from[c] = at;
            places[c] = column.isText() ? places(column, wanted) : null;
        }
    }

    private static double[] places(TableColumn column, Encoding.Column wanted) {
        return column.categories().stream().mapToDouble(wanted::place).toArray();
    }

    private boolean isUnknown(int c, double cell) {
        return places[c] != null && !Double.isNaN(cell) && !(places[c][(int) cell] >= 0);
    }

    /** Translates the cells of a row for {@link Encoding#add}. */
    private double[] translated(double[] row) {
        double[] own = new double[from.length];
        for (int c = 0; c < own.length; c++) {
            double cell = row[from[c]];
            own[c] = places[c] == null || Double.isNaN(cell) ? cell : places[c][(int) cell];
        }
        return own;
    }

    /**
     * Encodes these rows: on each read, if they are in a {@link Store} and do not become sparse; otherwise now, on the
     * heap.
     */
    Dataset apply(int[] rows, Schema schema) {
        Dataset stored = encoding.sparse() ? null : cells.inStore(schema, Encoded::new);
        if (stored != null) {
            return stored.select(rows);
        }
        DatasetBuilder builder = encoding.builder();
        double[] row = new double[table.size()];
        for (int r : rows) {
            cells.copyRow(r, row);
            encoding.add(translated(row), cells.label(r), cells.group(r), cells.weight(r), builder);
        }
        return builder.build(schema, cells.source());
    }

    /** Warns once per column that these held-out rows have a value that no training row has. */
    void warnOfUnknown(int[] rows) {
        eachUnknown(rows, (column, count, example) -> column.warnOfUnknown(file, count, example));
    }

    /** Warns the same of rows that a model is used on. */
    void warnOfUnseen(int[] rows) {
        eachUnknown(rows, (column, count, example) -> column.warnOfUnseen(file, count, example));
    }

    private interface Warning {
        void of(Encoding.Column column, int rows, String example);
    }

    private void eachUnknown(int[] rows, Warning warning) {
        int[] counts = new int[from.length];
        String[] examples = new String[from.length];
        eachWithoutFeatures(rows, (r, c, cell) -> {
            String value = table.get(from[c]).categories().get((int) cell);
            counts[c]++;
            examples[c] = examples[c] == null || value.compareTo(examples[c]) < 0 ? value : examples[c];
        });
        for (int c = 0; c < counts.length; c++) {
            if (counts[c] > 0) {
                warning.of(encoding.columns().get(c), counts[c], examples[c]);
            }
        }
    }

    /**
     * Checks that missing cells can be filled.
     *
     * @throws holdfast.InputException for a missing cell that the encoding does not fill
     */
    void requireNoneMissing(int[] rows) {
        eachWithoutFeatures(
                rows,
                (r, c, cell) -> Check.that(
                        !Double.isNaN(cell),
                        "%s: row %d, column %s is missing, which --missing fail in training forbids",
                        file,
                        r + 1,
                        encoding.columns().get(c).name()));
    }

    private interface Visitor {
        void accept(int row, int column, double cell);
    }

    /** Visits unknown values, and missing cells that nothing fills. */
    private void eachWithoutFeatures(int[] rows, Visitor visitor) {
        int[] watched =
                IntStream.range(0, from.length).filter(this::mayLackFeatures).toArray();
        double[] row = new double[table.size()];
        for (int i = 0; watched.length > 0 && i < rows.length; i++) {
            cells.copyRow(rows[i], row);
            for (int c : watched) {
                double cell = row[from[c]];
                if (isUnknown(c, cell)
                        || Double.isNaN(cell) && !encoding.columns().get(c).mayBeMissing()) {
                    visitor.accept(rows[i], c, cell);
                }
            }
        }
    }

    private boolean mayLackFeatures(int c) {
        return places[c] != null && Arrays.stream(places[c]).anyMatch(place -> !(place >= 0))
                || table.get(from[c]).missing() != TableColumn.Missing.FAIL
                        && !encoding.columns().get(c).mayBeMissing();
    }

    /** The features of rows in another store, computed on each read. */
    private final class Encoded implements Store {
        private final Store cells;
        private final int width;
        /** The index of each column's first feature. */
        private final int[] starts = new int[from.length];

        Encoded(Store cells) {
            this.cells = cells;
            int next = 0;
            for (int c = 0; c < starts.length; c++) {
                Encoding.Column column = encoding.columns().get(c);
                starts[c] = next;
                next += column.width() + (column.marked() ? 1 : 0);
            }
            this.width = next;
        }

        @Override
        public int rows() {
            return cells.rows();
        }

        @Override
        public int columns() {
            return width;
        }

        @Override
        public void read(int row, double[] into, int offset) {
            double[] own = new double[cells.columns()];
            cells.read(row, own, 0);
            own = translated(own);
            Arrays.fill(into, offset, offset + width, 0);
            for (int c = 0; c < own.length; c++) {
                int at = offset + starts[c];
                if (Double.isNaN(own[c])) {
                    fill(encoding.columns().get(c), into, at);
                } else if (places[c] == null) {
                    into[at] = own[c] + 0.0; // Turns -0.0 into 0.0, as in rows stored without zeros.
                } else if (own[c] != Encoding.UNKNOWN) {
                    into[at + (int) own[c]] = 1;
                }
            }
        }

        private void fill(Encoding.Column column, double[] into, int at) {
            for (int i = 0; i < column.fill().size(); i++) {
                into[at + i] = column.fill().get(i) + 0.0;
            }
            if (column.marked()) {
                into[at + column.width()] = 1;
            }
        }

        @Override
        public double label(int row) {
            return cells.label(row);
        }

        @Override
        public boolean weighted() {
            return cells.weighted();
        }

        @Override
        public double weight(int row) {
            return cells.weight(row);
        }
    }
}
