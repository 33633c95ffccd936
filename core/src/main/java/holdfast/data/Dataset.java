package holdfast.data;

import holdfast.Check;
import holdfast.InputException;
import holdfast.math.Tree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rows with a label and, if the data name one, the source (hospital, vendor, sensor) of each row. Immutable. Rows are
 * divided by position into blocks of {@value #BLOCK_ROWS}, so the blocks are the same everywhere. Every block needs
 * some vectors as long as a row. Sparse rows therefore have blocks of at least one row per {@value #COLUMNS_PER_ROW}
 * columns (the smallest power of two that is enough, and at least {@value #BLOCK_ROWS}), so that such a vector costs no
 * more than {@value #COLUMNS_PER_ROW} numbers per row.
 */
public final class Dataset implements Rows {
    static final int BLOCK_ROWS = 256;
    static final int COLUMNS_PER_ROW = 16;

    private final Schema schema;
    private final List<Block> blocks;
    private final int blockRows;
    private final int rows;
    private final int[] groups;
    private final DataSource source;

    Dataset(Schema schema, List<Block> blocks, int blockRows, int[] groups, DataSource source) {
        this.schema = schema;
        this.blocks = List.copyOf(blocks);
        this.blockRows = blockRows;
        this.rows = blocks.stream().mapToInt(Block::rows).sum();
        this.groups = groups;
        this.source = source;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public DataSource source() {
        return source;
    }

    public List<Block> blocks() {
        return blocks;
    }

    public int rows() {
        return rows;
    }

    @Override
    public long count() {
        return rows;
    }

    @Override
    public <T> T reduce(Leaf<T> leaf, Merger<T> merger) {
        return Tree.reduce(blocks.size(), b -> leaf.apply(blocks.get(b)), merger);
    }

    @Override
    public <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger) {
        return groups == null ? List.of(reduce(leaf, merger)) : rows(all()).reduceBySource(leaf, merger);
    }

    @Override
    public <T extends Serializable> T fold(T start, Folder<T> folder) {
        T value = start;
        for (Block block : blocks) {
            value = folder.apply(value, block);
        }
        return value;
    }

    private int[] all() {
        return IntStream.range(0, rows).toArray();
    }

    public int columns() {
        return schema.features().size();
    }

    /** Returns the number of rows in every block except the last, which may have fewer. */
    public int blockRows() {
        return blockRows;
    }

    @Override
    public boolean sparse() {
        return blocks.get(0).sparse();
    }

    Block block(int row) {
        return blocks.get(row / blockRows);
    }

    public double label(int row) {
        return block(row).label(row % blockRows);
    }

    public double weight(int row) {
        return block(row).weight(row % blockRows);
    }

    /** Returns whether rows have weights; if not, all weights are 1. */
    @Override
    public boolean weighted() {
        return blocks.stream().anyMatch(block -> block.weights() != null);
    }

    /** Returns the index of the row's source in {@code schema().groups()}, or 0 if rows name no source. */
    public int group(int row) {
        return groups == null ? 0 : groups[row];
    }

    /**
     * Returns the rows of each source, ascending, in the order of {@code schema().groups()}; empty if rows name no
     * source.
     */
    public List<int[]> rowsBySource() {
        return groups == null ? List.of() : bySource(this, all());
    }

    /** Divides the chosen rows by source and keeps their order; one array with all of them if rows name no source. */
    static List<int[]> bySource(Dataset data, int[] chosen) {
        if (data.groups == null) {
            return List.of(chosen);
        }
        int[] counts = new int[data.schema.groups().size()];
        for (int r : chosen) {
            counts[data.groups[r]]++;
        }
        List<int[]> bySource = new ArrayList<>();
        for (int count : counts) {
            bySource.add(new int[count]);
        }
        for (int i = chosen.length - 1; i >= 0; i--) {
            int group = data.groups[chosen[i]];
            bySource.get(group)[--counts[group]] = chosen[i];
        }
        return bySource;
    }

    public boolean hasGroups() {
        return groups != null;
    }

    public double[] row(int row) {
        double[] out = new double[columns()];
        copyRow(row, out);
        return out;
    }

    /** Copies a row to the start of {@code into}. */
    public void copyRow(int row, double[] into) {
        block(row).copyRow(row % blockRows, into, 0);
    }

    /**
     * Returns the same rows backed by another store, which is made from theirs and shared by all blocks. Returns null
     * unless all rows belong to one store and have its values unchanged.
     */
    public Dataset inStore(Schema changed, UnaryOperator<Store> change) {
        if (!(blocks.get(0) instanceof StoredBlock stored)
                || !stored.isAsStored()
                || !blocks.stream().allMatch(stored::alike)) {
            return null;
        }
        Store store = change.apply(stored.store());
        return new Dataset(
                changed,
                blocks.stream().map(block -> ((StoredBlock) block).in(store)).toList(),
                blockRows,
                groups,
                source);
    }

    /** Returns these rows in this order; as a view if all are in one {@link Store}. */
    public Dataset select(int[] chosen) {
        if (blocks.get(0) instanceof StoredBlock stored && blocks.stream().allMatch(stored::alike)) {
            return view(stored, chosen);
        }
        DatasetBuilder builder = alike();
        for (int r : chosen) {
            builder.add(this, r);
        }
        return builder.build(schema, source);
    }

    /** Returns these rows in this order, without copying all of them at once. */
    public Rows rows(int[] chosen) {
        Check.that(chosen.length > 0, "%s: no data rows", source.name());
        return new SelectedRows(this, chosen);
    }

    /**
     * Returns only the labels, weights and sources of all rows: enough to split the rows and assign them to workers.
     * Their values cannot be read.
     */
    public Dataset outline() {
        double[] labels = each(0, rows, this::label);
        double[] weights = weighted() ? each(0, rows, this::weight) : null;
        return outline(schema, labels, weights, groups, source);
    }

    /**
     * Creates an outline of rows stored elsewhere: their labels, weights and sources.
     *
     * @param weights null if all are 1
     * @param groups the index of each row's source; null if rows name none
     */
    public static Dataset outline(Schema schema, double[] labels, double[] weights, int[] groups, DataSource source) {
        return of(schema, new OutlineStore(schema.features().size(), labels, weights), groups, source);
    }

    private record OutlineStore(int columns, double[] labels, double[] weights) implements Store {
        @Override
        public int rows() {
            return labels.length;
        }

        @Override
        public void read(int row, double[] into, int offset) {
            throw new IllegalStateException("an outline has no values");
        }

        @Override
        public double label(int row) {
            return labels[row];
        }

        @Override
        public boolean weighted() {
            return weights != null;
        }

        @Override
        public double weight(int row) {
            return weights == null ? 1 : weights[row];
        }
    }

    private Dataset view(StoredBlock alike, int[] chosen) {
        int[] numbers = Arrays.stream(chosen)
                .map(r -> ((StoredBlock) block(r)).number(r % blockRows))
                .toArray();
        List<Block> views = cut(chosen.length, (first, count) -> {
            Block view = alike.select(numbers, first, count);
            view = alike.hasOwnLabels() ? view.relabelled(each(first, count, j -> label(chosen[j]))) : view;
            return alike.hasOwnWeights() ? view.weighted(each(first, count, j -> weight(chosen[j]))) : view;
        });
        return new Dataset(schema, views, BLOCK_ROWS, groups == null ? null : pick(groups, chosen), source);
    }

    private static int[] pick(int[] from, int[] chosen) {
        return Arrays.stream(chosen).map(r -> from[r]).toArray();
    }

    private static double[] each(int first, int count, IntToDoubleFunction of) {
        return IntStream.range(first, first + count).mapToDouble(of).toArray();
    }

    private static List<Block> cut(int rows, BiFunction<Integer, Integer, Block> block) {
        List<Block> blocks = new ArrayList<>();
        for (int first = 0; first < rows; first += BLOCK_ROWS) {
            blocks.add(block.apply(first, Math.min(BLOCK_ROWS, rows - first)));
        }
        return blocks;
    }

    /**
     * Creates a data set of all rows of a store, without copying them.
     *
     * @param groups the index of each row's source; null if rows name none
     */
    public static Dataset of(Schema schema, Store store, int[] groups, DataSource source) {
        Check.that(store.rows() > 0, "%s: no data rows", source.name());
        return new Dataset(
                schema,
                cut(store.rows(), (first, count) -> StoredBlock.of(store, first, count)),
                BLOCK_ROWS,
                groups,
                source);
    }

    /**
     * Creates a data set of these blocks. Every block except the last has {@link DatasetBuilder#blockRows} rows. The rows name
     * no source.
     */
    public static Dataset of(Schema schema, List<Block> blocks, DataSource source) {
        int blockRows =
                new DatasetBuilder(schema.features().size(), blocks.get(0).sparse()).blockRows();
        for (int b = 0; b < blocks.size(); b++) {
            int rows = blocks.get(b).rows();
            Check.that(
                    b < blocks.size() - 1 ? rows == blockRows : rows > 0 && rows <= blockRows,
                    "a block must have %d rows, the last one at most as many, got %d",
                    blockRows,
                    rows);
        }
        return new Dataset(schema, List.copyOf(blocks), blockRows, null, source);
    }

    /** Returns these rows followed by those of another data set with the same columns. */
    public Dataset append(Dataset other) {
        return joined(List.of(this, other));
    }

    /** Returns the rows of data sets with the same columns, one after the other; the first says where they came from. */
    public static Dataset joined(List<Dataset> parts) {
        Dataset first = parts.get(0);
        DatasetBuilder builder = first.alike();
        parts.forEach(builder::addAll);
        return builder.build(first.schema, first.source);
    }

    /**
     * Returns the same rows with every value rounded to the nearest float. Values on the heap are stored as floats.
     *
     * @param number maps a row to the number by which users know it, from 0
     * @throws InputException for sparse rows, or if a value is too large for a float
     */
    public Dataset inFloats(IntUnaryOperator number) {
        Check.that(
                !sparse(),
                "%s: its rows are sparse, which --storage float cannot hold; use --storage double",
                source.name());
        return eachBlock((block, first) -> {
            for (int j = 0; j < block.rows(); j++) {
                int row = first + j;
                block.nonZeros(j, (column, value) -> requireFits(value, number.applyAsInt(row), column));
            }
            return block instanceof StoredBlock stored ? stored.inFloats() : FloatBlock.of(block);
        });
    }

    /**
     * Checks that a float can hold the value.
     *
     * @throws InputException with row and column if it cannot
     */
    public void requireFits(double value, int row, int column) {
        if (!FloatBlock.fits(value)) {
            throw new InputException(source.name() + ": row " + (row + 1) + ", column "
                    + schema.features().get(column) + ": --storage float cannot hold " + value
                    + ", which is too large; use --storage double");
        }
    }

    /** Returns whether values are stored as floats. */
    public boolean hasFloats() {
        return blocks.get(0) instanceof FloatBlock || blocks.get(0) instanceof StoredBlock stored && stored.hasFloats();
    }

    /** Returns a builder that stores rows in the same way as this data set. */
    private DatasetBuilder alike() {
        DatasetBuilder builder = new DatasetBuilder(columns(), sparse());
        return hasFloats() ? builder.keeping(FloatBlock::of) : builder;
    }

    /** Returns the same rows with each block replaced; a block keeps its number of rows. */
    public Dataset map(UnaryOperator<Block> change) {
        return new Dataset(schema, blocks.stream().map(change).toList(), blockRows, groups, source);
    }

    /** Returns the same rows with these sources: for each row, the index of its source's name. */
    public Dataset grouped(List<String> names, int[] indices) {
        return new Dataset(schema.withGroups(names), blocks, blockRows, indices, source);
    }

    /** Returns the same rows with another name for messages. */
    public Dataset named(String name) {
        return new Dataset(schema, blocks, blockRows, groups, new DataSource(name, source.sha256()));
    }

    /** Returns the same rows without sources. */
    public Dataset withoutGroups() {
        return new Dataset(schema.withoutGroups(), blocks, blockRows, null, source);
    }

    /** Returns the same rows with new labels. */
    public Dataset relabel(IntToDoubleFunction label) {
        return eachBlock((block, first) -> {
            double[] labels = new double[block.rows()];
            Arrays.setAll(labels, j -> label.applyAsDouble(first + j));
            return block.relabelled(labels);
        });
    }

    /** Returns the same rows with new weights. */
    public Dataset reweigh(IntToDoubleFunction weight) {
        return eachBlock((block, first) -> {
            double[] weights = new double[block.rows()];
            Arrays.setAll(weights, j -> weight.applyAsDouble(first + j));
            return block.weighted(weights);
        });
    }

    /** Overwrites the values of a row. */
    @FunctionalInterface
    public interface RowChange {
        void apply(int row, double[] values);
    }

    /**
     * Returns the same rows with new values in some of them. Blocks without such a row are kept.
     *
     * @param chosen numbers of the rows to change, ascending; they are changed in this order
     */
    public Dataset changed(int[] chosen, RowChange change) {
        double[] row = new double[columns()];
        return eachBlock((block, first) -> {
            int next = Arrays.binarySearch(chosen, first);
            int at = next < 0 ? -next - 1 : next;
            if (at == chosen.length || chosen[at] >= first + block.rows()) {
                return block;
            }
            DatasetBuilder builder = alike();
            for (int r = first; r < first + block.rows(); r++) {
                if (at < chosen.length && chosen[at] == r) {
                    copyRow(r, row);
                    change.apply(r, row);
                    builder.add(row, label(r), 0, weight(r));
                    at++;
                } else {
                    builder.add(this, r);
                }
            }
            return builder.build(schema.withoutGroups(), source).blocks.get(0);
        });
    }

    /** Returns the same rows with this value in this column of the chosen rows. */
    public Dataset with(IntPredicate chosen, int column, double value) {
        return eachBlock((block, first) -> block.with(j -> chosen.test(first + j), column, value));
    }

    private Dataset eachBlock(BiFunction<Block, Integer, Block> change) {
        return new Dataset(
                schema,
                IntStream.range(0, blocks.size())
                        .mapToObj(b -> change.apply(blocks.get(b), b * blockRows))
                        .toList(),
                blockRows,
                groups,
                source);
    }
}
