package holdfast.data;

import holdfast.Check;
import holdfast.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Collects rows into the blocks of a {@link Dataset}. */
public final class DatasetBuilder {
    private final int columns;
    private final int blockRows;
    private final List<Block> blocks = new ArrayList<>();
    private final List<int[]> groups = new ArrayList<>();
    /** The values of sparse rows, or null. */
    private final SparseBlock.Builder entries;

    private double[] values;
    private double[] labels = new double[Dataset.BLOCK_ROWS];
    private double[] weights = new double[Dataset.BLOCK_ROWS];
    private int[] groupOf = new int[Dataset.BLOCK_ROWS];
    private UnaryOperator<Block> kept = UnaryOperator.identity();
    private boolean weighted;
    private int filled;

    /** Creates a builder that stores rows with their zeros. */
    public DatasetBuilder(int columns) {
        this(columns, false);
    }

    DatasetBuilder(int columns, boolean sparse) {
        Check.that(columns > 0, "data must have at least one feature column");
        this.columns = columns;
        this.blockRows = sparse
                ? Math.max(Dataset.BLOCK_ROWS, powerOfTwo((columns - 1) / Dataset.COLUMNS_PER_ROW + 1))
                : Dataset.BLOCK_ROWS;
        this.entries = sparse ? new SparseBlock.Builder(columns) : null;
    }

    /** Creates a builder that stores rows without their zeros. */
    public static DatasetBuilder sparse(int columns) {
        return new DatasetBuilder(columns, true);
    }

    /** Replaces each finished block by what this returns, such as a view of rows that were stored elsewhere. */
    public DatasetBuilder keeping(UnaryOperator<Block> keep) {
        kept = keep;
        return this;
    }

    /** Returns the smallest power of two that is at least n. */
    private static int powerOfTwo(int n) {
        return n == 1 ? 1 : Integer.highestOneBit(n - 1) << 1;
    }

    public DatasetBuilder add(double[] row, double label) {
        return add(row, label, 0, 1);
    }

    public DatasetBuilder add(double[] row, double label, int group, double weight) {
        if (entries == null) {
            System.arraycopy(row, 0, room(), filled * columns, columns);
        } else {
            for (int i = 0; i < columns; i++) {
                entries.put(i, row[i]);
            }
        }
        return end(label, group, weight);
    }

    /**
     * Adds a row by its non-zero values.
     *
     * @param at their columns, ascending
     * @param count how many there are; only the first {@code count} elements of both arrays are read
     */
    public DatasetBuilder add(int[] at, double[] x, int count, double label, int group, double weight) {
        double[] dense = entries == null ? room() : null;
        for (int k = 0; k < count; k++) {
            if (at[k] >= columns || at[k] <= (k == 0 ? -1 : at[k - 1])) {
                throw new InputException("the columns of a row must ascend from 0 and be below " + columns + ", got "
                        + Arrays.toString(Arrays.copyOf(at, count)));
            }
            if (dense != null) {
                dense[filled * columns + at[k]] = x[k];
            } else {
                entries.put(at[k], x[k]);
            }
        }
        return end(label, group, weight);
    }

    void add(Dataset from, int r) {
        Block block = from.block(r);
        int j = r % from.blockRows();
        if (entries == null) {
            block.copyRow(j, room(), filled * columns);
        } else {
            block.nonZeros(j, entries::put);
        }
        end(block.label(j), from.group(r), block.weight(j));
    }

    /** Adds the rows of another data set with the same columns. */
    public void addAll(Dataset from) {
        for (int r = 0; r < from.rows(); r++) {
            add(from, r);
        }
    }

    private double[] room() {
        values = values == null ? new double[Dataset.BLOCK_ROWS * columns] : values;
        return values;
    }

    private DatasetBuilder end(double label, int group, double weight) {
        if (entries != null) {
            entries.endRow();
        }
        if (filled == labels.length) {
            labels = Arrays.copyOf(labels, 2 * filled);
            weights = Arrays.copyOf(weights, 2 * filled);
            groupOf = Arrays.copyOf(groupOf, 2 * filled);
        }
        labels[filled] = label;
        weights[filled] = weight;
        groupOf[filled] = group;
        weighted |= weight != 1;
        if (++filled == blockRows) {
            flush();
        }
        return this;
    }

    /** Returns the number of rows that every block except the last will have. */
    public int blockRows() {
        return blockRows;
    }

    public int rows() {
        return blocks.size() * blockRows + filled;
    }

    private void flush() {
        double[] own = Arrays.copyOf(labels, filled);
        double[] weight = weighted ? Arrays.copyOf(weights, filled) : null;
        blocks.add(kept.apply(
                entries != null
                        ? entries.build(own, weight)
                        : new DenseBlock(
                                columns,
                                filled == Dataset.BLOCK_ROWS ? values : Arrays.copyOf(values, filled * columns),
                                own,
                                weight)));
        groups.add(Arrays.copyOf(groupOf, filled));
        values = null;
        weighted = false;
        filled = 0;
    }

    /**
     * Creates the data set.
     *
     * @throws InputException if there is no row
     */
    public Dataset build(Schema schema, DataSource source) {
        Check.that(rows() > 0, "%s: no data rows", source.name());
        if (filled > 0) {
            flush();
        }
        int[] all = schema.groups().isEmpty()
                ? null
                : groups.stream().flatMapToInt(Arrays::stream).toArray();
        return new Dataset(schema, blocks, blockRows, all, source);
    }
}
