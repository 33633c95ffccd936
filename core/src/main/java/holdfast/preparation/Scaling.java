package holdfast.preparation;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;
import holdfast.data.Rows;
import holdfast.data.SparseBlock;
import holdfast.data.Store;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Scales each column: x becomes (x - offset) / divisor, cut off at +-clip, fitted on training rows alone. A column that is constant
 * there has an infinite divisor and so becomes zero, whatever later rows contain: nothing can be learnt from it. There
 * is one exception: if the model has no intercept and nothing is subtracted, a constant column can act as the
 * intercept, and it is divided by its size instead. A column counts as constant if its values are within four units in
 * the last place of each other, which is rounding.
 *
 * @param clip scaled values are at most this large; infinite if they are not cut off
 */
public record Scaling(Kind kind, double[] offsets, double[] divisors, double clip) {
    /** Where values are cut off if some sources may lie. Few honest values of standardised columns are larger. */
    public static final double CLIP = 5;

    /** Determines offset and divisor. The standard deviation is the population's: sqrt(mean (x - mean)^2). */
    public enum Kind {
        /**
         * Selects {@link #MAX_ABS} if rows are sparse, otherwise {@link #STANDARDISE}, or {@link #SD} without an
         * intercept. A plan can ask for it; a fitted scaling never has it.
         */
        AUTO("auto"),
        /** Leaves columns as they are. */
        NONE("none"),
        /** Divides by the standard deviation; zeros stay zeros. */
        SD("sd"),
        /** Subtracts the mean and divides by the standard deviation. */
        STANDARDISE("standardise"),
        /** Maps the training range to [0, 1]. */
        MIN_MAX("min-max"),
        /**
         * Divides by the largest |x|. Zeros stay zeros, and a feature that few rows have does not become huge, as it
         * does with SD.
         */
        MAX_ABS("max-abs");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }

        public static Kind parse(String text) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw new InputException("--scale must be one of "
                    + Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(", ")) + "; got '" + text
                    + "'");
        }
    }

    public Scaling {
        Check.that(kind != Kind.AUTO, "a fitted scaling must not be auto");
        Check.that(
                offsets.length == divisors.length && Vectors.finite(offsets),
                "scaling needs one finite offset and one divisor per column, got %d and %d",
                offsets.length,
                divisors.length);
        for (double divisor : divisors) {
            Check.that(divisor > 0, "scaling: divisors must be > 0, got %s", divisor);
        }
        Check.that(clip > 0, "scaling: clip must be > 0, got %s", clip);
        offsets = offsets.clone();
        divisors = divisors.clone();
    }

    /** Creates a scaling that cuts nothing off. */
    public Scaling(Kind kind, double[] offsets, double[] divisors) {
        this(kind, offsets, divisors, Double.POSITIVE_INFINITY);
    }

    /** Returns a copy. */
    @Override
    public double[] offsets() {
        return offsets.clone();
    }

    /** Returns a copy; infinite for a column that becomes zero. */
    @Override
    public double[] divisors() {
        return divisors.clone();
    }

    /** Returns the indices of the columns that become zero because they were constant in the training rows. */
    public int[] constants() {
        return IntStream.range(0, divisors.length)
                .filter(i -> divisors[i] == Double.POSITIVE_INFINITY)
                .toArray();
    }

    /**
     * Fits a scaling to all rows together, for a model with an intercept.
     *
     * @throws InputException for sparse rows if an offset is not zero: it would fill them
     */
    public static Scaling fit(Kind asked, Rows training) {
        return fit(asked, training, true, true, AcrossSources.POOLED);
    }

    /**
     * Fits a scaling to what the sources of the rows say, see {@link ColumnStatistics}. For sparse rows this takes
     * O(values stored + columns).
     *
     * @param training rows whose sources count as they are grouped; all together if they name none
     * @param intercept whether the model has one. If not, automatic scaling shifts nothing, and a constant column stays
     *     if nothing is subtracted from it
     * @param dealt whether rows were dealt to workers without regard to sources; then rare columns are kept
     * @param across combines the sources' numbers; if any of them may lie, scaled values are clipped, except where rows were
     *     dealt and labels are numbers: nobody hands in such rows, and a number may grow with a feature without bounds
     */
    public static Scaling fit(Kind asked, Rows training, boolean intercept, boolean dealt, AcrossSources across) {
        boolean sparse = training.sparse();
        Kind kind = asked != Kind.AUTO ? asked : sparse ? Kind.MAX_ABS : intercept ? Kind.STANDARDISE : Kind.SD;
        int d = training.schema().features().size();
        if (kind == Kind.NONE) {
            return none(d);
        }
        double[] offsets = new double[d];
        double[] divisors = new double[d];
        Check.that(
                !sparse || kind != Kind.STANDARDISE,
                "%s: --scale standardise would fill sparse rows; use --scale max-abs or --scale sd",
                training.source().name());
        boolean deviates = kind == Kind.SD || kind == Kind.STANDARDISE;
        ColumnStatistics columns = new ColumnStatistics(training, across, dealt, deviates);
        ColumnStatistics.Moments moments = deviates ? columns.moments() : null;
        double[] lowest = columns.lowest();
        double[] highest = columns.highest();
        double[] largest = columns.largest();
        for (int i = 0; i < d; i++) {
            double low = lowest[i];
            double high = highest[i];
            Check.that(
                    kind == Kind.MAX_ABS || Double.isFinite(high - low),
                    "%s: the values of column %s are too far apart to be scaled: from %s to %s",
                    training.source().name(),
                    training.schema().features().get(i),
                    low,
                    high);
            offsets[i] = kind == Kind.STANDARDISE ? moments.centres()[i] : kind == Kind.MIN_MAX ? low : 0;
            Check.that(
                    !sparse || offsets[i] == 0,
                    "%s: --scale min-max would fill sparse rows: the least value of column %s is %s instead of 0; use"
                            + " --scale max-abs or --scale sd",
                    training.source().name(),
                    training.schema().features().get(i),
                    offsets[i]);
            double divisor = switch (kind) {
                case MAX_ABS -> ColumnStatistics.isConstant(low, high) ? 0 : largest[i];
                case MIN_MAX -> ColumnStatistics.isConstant(low, high) ? 0 : high - low;
                default -> moments.spreads()[i];
            };
            divisors[i] = divisor > 0 ? divisor : constantDivisor(kind, largest[i], intercept);
        }
        boolean numbers = training.schema().classes().isEmpty();
        return new Scaling(
                kind,
                offsets,
                divisors,
                across.tolerated() > 0 && !(dealt && numbers) ? CLIP : Double.POSITIVE_INFINITY);
    }

    private static double constantDivisor(Kind kind, double size, boolean intercept) {
        boolean standsForIntercept = !intercept && size > 0 && (kind == Kind.SD || kind == Kind.MAX_ABS);
        return standsForIntercept ? size : Double.POSITIVE_INFINITY;
    }

    /** Returns a scaling that leaves this many columns as they are. */
    public static Scaling none(int columns) {
        double[] divisors = new double[columns];
        Arrays.fill(divisors, 1);
        return new Scaling(Kind.NONE, new double[columns], divisors);
    }

    public Dataset apply(Dataset data) {
        requireFits(data);
        if (kind == Kind.NONE) {
            return data;
        }
        RowScaler rows = rowScaler();
        Dataset stored = data.inStore(data.schema(), store -> new ScaledStore(store, rows));
        return stored != null ? stored : data.map(this::apply);
    }

    /** Checks that rows have these columns and are not sparse if zeros do not stay zeros. */
    public void requireFits(Dataset data) {
        Check.that(
                data.columns() == offsets.length,
                "data must have %d feature columns, got %d",
                offsets.length,
                data.columns());
        Check.that(
                !data.sparse() || keepsZeros(),
                "%s: rows are sparse, but the scaling (%s) subtracts offsets, which would fill them; train with"
                        + " --scale max-abs or --scale sd",
                data.source().name(),
                kind);
    }

    /**
     * Scales each row of another store when it is read. All blocks of a data set share one instance, so that its rows
     * still belong to one store.
     */
    private record ScaledStore(Store unscaled, RowScaler scaler) implements Store {
        @Override
        public int rows() {
            return unscaled.rows();
        }

        @Override
        public int columns() {
            return unscaled.columns();
        }

        @Override
        public void read(int row, double[] into, int offset) {
            unscaled.read(row, into, offset);
            scaler.scale(into, offset, into, offset);
        }

        @Override
        public double label(int row) {
            return unscaled.label(row);
        }

        @Override
        public boolean weighted() {
            return unscaled.weighted();
        }

        @Override
        public double weight(int row) {
            return unscaled.weight(row);
        }
    }

    /** Returns whether zeros stay zeros, which sparse rows require. */
    public boolean keepsZeros() {
        return Vectors.maxAbs(offsets, offsets.length) == 0;
    }

    /** Scales one block; it may be sparse only if zeros stay zeros. */
    public Block apply(Block block) {
        int d = block.columns();
        if (kind == Kind.NONE) {
            return block;
        }
        if (block.sparse()) {
            SparseBlock.Builder scaled = new SparseBlock.Builder(d);
            for (int j = 0; j < block.rows(); j++) {
                block.nonZeros(j, (i, x) -> scaled.put(i, clipped(x / divisors[i])));
                scaled.endRow();
            }
            return scaled.build(block.labels(), block.weights());
        }
        double[] values = new double[block.rows() * d];
        RowScaler rows = rowScaler();
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, values, j * d);
            rows.scale(values, j * d, values, j * d);
        }
        return new DenseBlock(d, values, block.labels(), block.weights());
    }

    /** Returns what scales dense rows one at a time, to the same values as {@link #apply(Block)}. */
    public RowScaler rowScaler() {
        return new RowScaler(offsets, divisors, clip, constants());
    }

    /** Returns whether a value of a column is cut off. */
    public boolean isCutOff(int column, double value) {
        return Math.abs((value - offsets[column]) / divisors[column]) > clip;
    }

    private double clipped(double value) {
        return Math.max(-clip, Math.min(clip, value));
    }
}
