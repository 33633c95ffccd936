package holdfast.data;

import holdfast.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Rows with a label and, if the data name one, the source (hospital, vendor, sensor) each row came from.
 * Immutable. Cut into blocks of {@value #BLOCK_ROWS} rows; the cut is by position and so the same everywhere.
 */
public final class Dataset {
    public static final int BLOCK_ROWS = 256;

    private final Schema schema;
    private final List<Block> blocks;
    private final int rows;
    private final int[] groups;
    private final DataSource source;

    /**
     * What the columns mean.
     *
     * @param features names of the feature columns
     * @param label name of the label column
     * @param classes the label values as users write them, in which case a label is the index of one; empty where labels
     *     are numbers
     * @param groups names of the sources, empty if rows name none
     */
    public record Schema(List<String> features, String label, List<String> classes, List<String> groups) {
        public Schema {
            features = List.copyOf(features);
            classes = List.copyOf(classes);
            groups = List.copyOf(groups);
        }

        public Schema withoutGroups() {
            return new Schema(features, label, classes, List.of());
        }
    }

    private Dataset(Schema schema, List<Block> blocks, int[] groups, DataSource source) {
        this.schema = schema;
        this.blocks = List.copyOf(blocks);
        this.rows = blocks.stream().mapToInt(Block::rows).sum();
        this.groups = groups;
        this.source = source;
    }

    public Schema schema() {
        return schema;
    }

    public DataSource source() {
        return source;
    }

    public List<Block> blocks() {
        return blocks;
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return schema.features().size();
    }

    public double label(int row) {
        return blocks.get(row / BLOCK_ROWS).labels()[row % BLOCK_ROWS];
    }

    /** The index into {@code schema().groups()}, or 0 where rows name no source. */
    public int group(int row) {
        return groups == null ? 0 : groups[row];
    }

    public boolean hasGroups() {
        return groups != null;
    }

    public double[] row(int row) {
        double[] out = new double[columns()];
        blocks.get(row / BLOCK_ROWS).copyRow(row % BLOCK_ROWS, out, 0);
        return out;
    }

    /** These rows, in this order. */
    public Dataset select(int[] chosen) {
        Builder builder = new Builder(columns());
        double[] row = new double[columns()];
        for (int r : chosen) {
            builder.add(this, r, row);
        }
        return builder.build(schema, source);
    }

    /** These rows, then those of another data set with the same columns. */
    public Dataset append(Dataset other) {
        Builder builder = new Builder(columns());
        builder.addAll(this);
        builder.addAll(other);
        return builder.build(schema, source);
    }

    /** The same rows with blocks replaced one by one; a block keeps its number of rows. */
    public Dataset map(UnaryOperator<Block> change) {
        return new Dataset(schema, blocks.stream().map(change).toList(), groups, source);
    }

    /** Changes one row. */
    @FunctionalInterface
    public interface RowChange {
        /**
         * @param x a copy of the features, to be written
         * @return the new label
         */
        double apply(int row, double[] x, double label);
    }

    /** The same rows changed one by one, in order; groups and weights stay. */
    public Dataset rewrite(RowChange change) {
        Builder builder = new Builder(columns());
        double[] x = new double[columns()];
        for (int r = 0; r < rows; r++) {
            Block block = blocks.get(r / BLOCK_ROWS);
            block.copyRow(r % BLOCK_ROWS, x, 0);
            double label = change.apply(r, x, label(r));
            double[] own = block.weights();
            builder.add(x, label, group(r), own == null ? 1 : own[r % BLOCK_ROWS]);
        }
        return builder.build(schema, source);
    }

    /** Gathers rows into dense blocks. */
    public static final class Builder {
        private final int columns;
        private final List<Block> blocks = new ArrayList<>();
        private final List<int[]> groups = new ArrayList<>();
        private double[] values;
        private double[] labels = new double[BLOCK_ROWS];
        private double[] weights = new double[BLOCK_ROWS];
        private int[] groupOf = new int[BLOCK_ROWS];
        private boolean weighted;
        private int filled;

        public Builder(int columns) {
            Check.that(columns > 0, "data must have at least one feature column");
            this.columns = columns;
            this.values = new double[BLOCK_ROWS * columns];
        }

        public Builder add(double[] row, double label) {
            return add(row, label, 0, 1);
        }

        public Builder add(double[] row, double label, int group, double weight) {
            System.arraycopy(row, 0, values, filled * columns, columns);
            labels[filled] = label;
            weights[filled] = weight;
            groupOf[filled] = group;
            weighted |= weight != 1;
            if (++filled == BLOCK_ROWS) {
                flush();
            }
            return this;
        }

        private void add(Dataset from, int r, double[] scratch) {
            Block block = from.blocks.get(r / BLOCK_ROWS);
            block.copyRow(r % BLOCK_ROWS, scratch, 0);
            double[] own = block.weights();
            add(scratch, from.label(r), from.group(r), own == null ? 1 : own[r % BLOCK_ROWS]);
        }

        private void addAll(Dataset from) {
            double[] scratch = new double[columns];
            for (int r = 0; r < from.rows; r++) {
                add(from, r, scratch);
            }
        }

        public int rows() {
            return blocks.size() * BLOCK_ROWS + filled;
        }

        private void flush() {
            blocks.add(new DenseBlock(
                    columns,
                    filled == BLOCK_ROWS ? values : Arrays.copyOf(values, filled * columns),
                    Arrays.copyOf(labels, filled),
                    weighted ? Arrays.copyOf(weights, filled) : null));
            groups.add(Arrays.copyOf(groupOf, filled));
            values = new double[BLOCK_ROWS * columns];
            weighted = false;
            filled = 0;
        }

        /** @throws holdfast.InputException when there is no row */
        public Dataset build(Schema schema, DataSource source) {
            Check.that(rows() > 0, "%s: no data rows", source.name());
            if (filled > 0) {
                flush();
            }
            int[] all = schema.groups().isEmpty()
                    ? null
                    : groups.stream().flatMapToInt(Arrays::stream).toArray();
            return new Dataset(schema, blocks, all, source);
        }
    }
}
