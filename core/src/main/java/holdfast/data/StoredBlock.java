package holdfast.data;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A view of some rows of a {@link Store}; only the row numbers are on the heap. A product reads as many rows as fit in
 * a cache into a buffer of the thread and then works like {@link DenseBlock}, so it has the same bits as for the same
 * rows on the heap. The two products of a gradient follow each other on the same part of a block, so the second finds
 * its rows still in the buffer.
 */
public final class StoredBlock implements Block {
    /** Number of values read at once: half of a typical second-level cache. */
    private static final int AT_ONCE = 1 << 16;

    private static final ThreadLocal<Buffer> BUFFER = ThreadLocal.withInitial(Buffer::new);

    private final Chosen from;
    /** Null means the labels of the store. */
    private final double[] labels;

    private final double[] weights;

    /**
     * The rows of a view.
     *
     * @param floats whether values are rounded to floats, as in {@link FloatBlock}
     * @param numbers numbers of rows in the store; null means all
     * @param first the position of the first row among them
     */
    private record Chosen(Store store, boolean floats, int[] numbers, int first, int count) {
        int number(int j) {
            return numbers == null ? first + j : numbers[first + j];
        }

        void read(int j, double[] into, int offset) {
            store.read(number(j), into, offset);
            for (int i = offset; floats && i < offset + store.columns(); i++) {
                into[i] = (float) into[i];
            }
        }
    }

    /** The rows that a thread read last. */
    private static final class Buffer {
        private Chosen of;
        private int first;
        private double[] values;
        private DenseBlock rows;
        private Chosen labelled;
        private double[] labels;

        /** Keeps the labels until another block asks: some callers ask once per row. */
        double[] labels(Chosen asked) {
            if (labelled != asked) {
                labelled = asked;
                labels = new double[asked.count];
                Arrays.setAll(labels, j -> asked.store.label(asked.number(j)));
            }
            return labels;
        }

        DenseBlock read(Chosen asked, int start, int count) {
            if (of != asked || first != start) {
                int d = asked.store.columns();
                of = null;
                if (rows == null || rows.rows() != count || rows.columns() != d) {
                    values = new double[count * d];
                    rows = new DenseBlock(d, values, new double[count], null);
                }
                for (int j = 0; j < count; j++) {
                    asked.read(start + j, values, j * d);
                }
                of = asked;
                first = start;
            }
            return rows;
        }
    }

    private StoredBlock(Chosen from, double[] labels, double[] weights) {
        this.from = from;
        this.labels = labels;
        this.weights = weights;
    }

    /** Creates a view of {@code count} rows of a store, starting at {@code first}. */
    public static StoredBlock of(Store store, int first, int count) {
        return new StoredBlock(new Chosen(store, false, null, first, count), null, null);
    }

    Store store() {
        return from.store;
    }

    /** Returns whether the values are those of the store, not rounded. */
    boolean isAsStored() {
        return !from.floats;
    }

    /** Returns the rows with the same numbers in another store. */
    Block in(Store other) {
        return new StoredBlock(new Chosen(other, from.floats, from.numbers, from.first, from.count), labels, weights);
    }

    /** Returns the row's number in the store. */
    int number(int j) {
        return from.number(j);
    }

    boolean hasOwnLabels() {
        return labels != null;
    }

    boolean hasOwnWeights() {
        return weights != null;
    }

    /** Returns whether rows of the other block can be in one view with these. */
    boolean alike(Block other) {
        return other instanceof StoredBlock stored
                && stored.from.store == from.store
                && stored.from.floats == from.floats
                && stored.hasOwnLabels() == hasOwnLabels()
                && stored.hasOwnWeights() == hasOwnWeights();
    }

    /** Returns other rows of the same store, rounded in the same way, with the labels and weights of the store. */
    StoredBlock select(int[] numbers, int first, int count) {
        return new StoredBlock(new Chosen(from.store, from.floats, numbers, first, count), null, null);
    }

    /** Returns the same rows with every value rounded to the nearest float. */
    Block inFloats() {
        return new StoredBlock(new Chosen(from.store, true, from.numbers, from.first, from.count), labels, weights);
    }

    boolean hasFloats() {
        return from.floats;
    }

    private Block onHeap() {
        return from.floats ? FloatBlock.of(this) : new DenseBlock(columns(), filled(""), labels(), weights());
    }

    @Override
    public boolean sparse() {
        return false;
    }

    @Override
    public int rows() {
        return from.count;
    }

    @Override
    public int columns() {
        return from.store.columns();
    }

    @Override
    public double[] labels() {
        return labels == null ? BUFFER.get().labels(from) : labels;
    }

    @Override
    public double label(int j) {
        return labels == null ? from.store.label(from.number(j)) : labels[j];
    }

    @Override
    public double[] weights() {
        if (weights != null || !from.store.weighted()) {
            return weights;
        }
        double[] own = new double[from.count];
        Arrays.setAll(own, this::weight);
        return own;
    }

    @Override
    public double weight(int j) {
        return weights == null ? from.store.weight(from.number(j)) : weights[j];
    }

    @Override
    public Block weighted(double[] other) {
        return new StoredBlock(from, labels, other);
    }

    @Override
    public Block relabelled(double[] other) {
        return new StoredBlock(from, other, weights);
    }

    @Override
    public Block with(IntPredicate rows, int column, double value) {
        return onHeap().with(rows, column, value);
    }

    @Override
    public List<Block> parts() {
        return slices(Math.max(8, step()));
    }

    @Override
    public Block slice(int first, int count) {
        return new StoredBlock(
                new Chosen(from.store, from.floats, from.numbers, from.first + first, count),
                labels == null ? null : Arrays.copyOfRange(labels, first, first + count),
                weights == null ? null : Arrays.copyOfRange(weights, first, first + count));
    }

    /** Returns how many rows are read at once: a power of two, so that most blocks use a buffer of the same size. */
    private int step() {
        return Integer.highestOneBit(Math.max(1, AT_ONCE / columns()));
    }

    @Override
    public void times(double[] theta, double[] out) {
        for (int j = 0; j < from.count; j += step()) {
            int count = Math.min(step(), from.count - j);
            double[] part = count == from.count ? out : new double[count];
            BUFFER.get().read(from, j, count).times(theta, part);
            if (part != out) {
                System.arraycopy(part, 0, out, j, count);
            }
        }
    }

    @Override
    public void addTransposed(double[] r, double[] into) {
        for (int j = 0; j < from.count; j += step()) {
            int count = Math.min(step(), from.count - j);
            BUFFER.get()
                    .read(from, j, count)
                    .addTransposed(count == from.count ? r : Arrays.copyOfRange(r, j, j + count), into);
        }
    }

    @Override
    public void copyRow(int j, double[] into, int offset) {
        from.read(j, into, offset);
    }

    @Override
    public void nonZeros(int j, Entry entry) {
        double[] x = new double[columns()];
        copyRow(j, x, 0);
        new DenseBlock(x.length, x, new double[1], null).nonZeros(0, entry);
    }
}
