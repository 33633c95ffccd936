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
 * Scales each column: x becomes (x - offset) / divisor, both fitted on training rows alone. A column that is constant
 * there has an infinite divisor and so becomes zero, whatever later rows contain: nothing can be learnt from it. There
 * is one exception: if the model has no intercept and nothing is subtracted, a constant column can act as the
 * intercept, and it is divided by its size instead. A column counts as constant if its values are within four units in
 * the last place of each other, which is rounding.
 */
public record Scaling(Kind kind, double[] offsets, double[] divisors) {
    private static final double ROUNDING = 4;
    /** Sums of squares neither overflow nor underflow if the exponents of the values are no larger than this. */
    private static final int SAFE_EXPONENT = 400;
    /** After sums over blocks of rows, a mean may be off by this share of its size. */
    private static final double ROUGHNESS = 0x1p-48;
    /** A mean is accurate enough if its error is below this share of the standard deviation. */
    private static final double NEGLIGIBLE = 1e-9;

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
        offsets = offsets.clone();
        divisors = divisors.clone();
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
     * Fits a scaling for a model with an intercept. For sparse rows this takes O(values stored + columns).
     *
     * @throws InputException for sparse rows if an offset is not zero: it would fill them
     */
    public static Scaling fit(Kind asked, Rows training) {
        return fit(asked, training, true);
    }

    /**
     * Fits a scaling.
     *
     * @param intercept whether the model has one. If not, automatic scaling shifts nothing, and a constant column stays
     *     if nothing is subtracted from it
     */
    public static Scaling fit(Kind asked, Rows training, boolean intercept) {
        boolean sparse = training.sparse();
        Kind kind = asked != Kind.AUTO ? asked : sparse ? Kind.MAX_ABS : intercept ? Kind.STANDARDISE : Kind.SD;
        int d = training.schema().features().size();
        double[] offsets = new double[d];
        double[] divisors = new double[d];
        if (kind == Kind.NONE) {
            Arrays.fill(divisors, 1);
            return new Scaling(kind, offsets, divisors);
        }
        Check.that(
                !sparse || kind != Kind.STANDARDISE,
                "%s: --scale standardise would fill sparse rows; use --scale max-abs or --scale sd",
                training.source().name());
        boolean deviates = kind == Kind.SD || kind == Kind.STANDARDISE;
        Columns columns = Columns.of(training, deviates);
        Moments moments = deviates ? Moments.of(training, columns) : null;
        for (int i = 0; i < d; i++) {
            double low = columns.lowest[i];
            double high = columns.highest[i];
            Check.that(
                    kind == Kind.MAX_ABS || Double.isFinite(high - low),
                    "%s: the values of column %s are too far apart to be scaled: from %s to %s",
                    training.source().name(),
                    training.schema().features().get(i),
                    low,
                    high);
            offsets[i] = kind == Kind.STANDARDISE ? moments.means[i] : kind == Kind.MIN_MAX ? low : 0;
            Check.that(
                    !sparse || offsets[i] == 0,
                    "%s: --scale min-max would fill sparse rows: the least value of column %s is %s instead of 0; use"
                            + " --scale max-abs or --scale sd",
                    training.source().name(),
                    training.schema().features().get(i),
                    offsets[i]);
            divisors[i] = columns.isConstant(i)
                    ? constantDivisor(kind, columns.largest(i), intercept)
                    : switch (kind) {
                        case MAX_ABS -> columns.largest(i);
                        case MIN_MAX -> high - low;
                        default -> moments.deviations[i];
                    };
        }
        return new Scaling(kind, offsets, divisors);
    }

    private static double constantDivisor(Kind kind, double size, boolean intercept) {
        boolean standsForIntercept = !intercept && size > 0 && (kind == Kind.SD || kind == Kind.MAX_ABS);
        return standsForIntercept ? size : Double.POSITIVE_INFINITY;
    }

    /** Mean and population standard deviation of each column. */
    private record Moments(double[] means, double[] deviations) {

        /**
         * Takes two passes over the rows. Columns with squares that would overflow or underflow are summed as multiples
         * of a power of two, which changes no other bit. Rounding leaves a mean off by about 1e-15 of its size. If the
         * column varies so little that this matters, as ids of 1e16 and more do, a third pass corrects it.
         */
        static Moments of(Rows rows, Columns columns) {
            double[] means = means(rows, columns);
            int d = means.length;
            double[] units = new double[d];
            for (int i = 0; i < d; i++) {
                units[i] = unit(Math.max(columns.highest[i] - means[i], means[i] - columns.lowest[i]));
            }
            double[] deviations = columns.centredSums(rows, means, units, true);
            for (int i = 0; i < d; i++) {
                deviations[i] = Math.sqrt(deviations[i] / rows.count()) / units[i];
            }
            Moments found = new Moments(means, deviations);
            return IntStream.range(0, d).anyMatch(found::isRough) ? found.refined(rows, columns, units) : found;
        }

        private static double[] means(Rows rows, Columns columns) {
            int d = columns.sums.length;
            double[] units = new double[d];
            Arrays.fill(units, 1);
            double[] sums = columns.sums;
            if (!Vectors.finite(sums)) {
                for (int i = 0; i < d; i++) {
                    units[i] = Double.isFinite(sums[i]) ? 1 : unit(columns.largest(i));
                }
                sums = columns.centredSums(rows, new double[d], units, false);
            }
            double[] means = new double[d];
            for (int i = 0; i < d; i++) {
                means[i] = sums[i] / rows.count() / units[i];
            }
            return means;
        }

        /** Returns the power of two that brings values up to this size near 1; 1 if their squares are safe unscaled. */
        private static double unit(double size) {
            int exponent = Math.getExponent(size);
            return size == 0 || Math.abs(exponent) <= SAFE_EXPONENT ? 1 : Math.scalb(1.0, -exponent);
        }

        private boolean isRough(int i) {
            return deviations[i] > 0 && NEGLIGIBLE * deviations[i] < ROUGHNESS * Math.abs(means[i]);
        }

        private Moments refined(Rows rows, Columns columns, double[] units) {
            double[] left = columns.centredSums(rows, means, units, false);
            double[] exact = means.clone();
            double[] around = deviations.clone();
            for (int i = 0; i < exact.length; i++) {
                if (isRough(i)) {
                    double off = left[i] / rows.count() / units[i];
                    double share = Math.min(1, Math.abs(off) / deviations[i]);
                    exact[i] += off;
                    around[i] *= Math.sqrt(1 - share * share);
                }
            }
            return new Moments(exact, around);
        }
    }

    /**
     * What one pass over the rows finds for each column.
     *
     * @param sums sums of the values, infinite on overflow; null if not requested
     * @param zeros how many rows have a zero in the column; null if not requested
     */
    private record Columns(double[] lowest, double[] highest, double[] sums, double[] zeros) {

        static Columns of(Rows rows, boolean withSums) {
            double[][] all = rows.reduce(block -> summary(block, withSums), Columns::merge);
            return withSums ? new Columns(all[0], all[1], all[2], all[3]) : new Columns(all[0], all[1], null, null);
        }

        private static double[][] summary(Block block, boolean withSums) {
            int d = block.columns();
            double[] zeros = new double[d];
            Arrays.fill(zeros, block.rows());
            double[] lowest = new double[d];
            Arrays.fill(lowest, Double.POSITIVE_INFINITY);
            double[] highest = new double[d];
            Arrays.fill(highest, Double.NEGATIVE_INFINITY);
            double[] sums = new double[withSums ? d : 0];
            for (int j = 0; j < block.rows(); j++) {
                block.nonZeros(j, (i, x) -> {
                    lowest[i] = Math.min(lowest[i], x);
                    highest[i] = Math.max(highest[i], x);
                    zeros[i]--;
                    if (withSums) {
                        sums[i] += x;
                    }
                });
            }
            for (int i = 0; i < d; i++) {
                if (zeros[i] > 0) {
                    lowest[i] = Math.min(lowest[i], 0);
                    highest[i] = Math.max(highest[i], 0);
                }
            }
            return withSums ? new double[][] {lowest, highest, sums, zeros} : new double[][] {lowest, highest};
        }

        private static double[][] merge(double[][] a, double[][] b) {
            for (int i = 0; i < a[0].length; i++) {
                a[0][i] = Math.min(a[0][i], b[0][i]);
                a[1][i] = Math.max(a[1][i], b[1][i]);
            }
            for (int sum = 2; sum < a.length; sum++) {
                Vectors.add(a[sum], b[sum]);
            }
            return a;
        }

        double largest(int i) {
            return Math.max(Math.abs(lowest[i]), Math.abs(highest[i]));
        }

        boolean isConstant(int i) {
            return highest[i] - lowest[i] <= ROUNDING * Math.ulp(largest(i));
        }

        /**
         * Returns for each column the sum of (x - centre) unit, or of its square. The zeros of sparse rows all add the
         * same term, which is added once, multiplied by their number.
         */
        double[] centredSums(Rows rows, double[] centre, double[] unit, boolean squared) {
            double[] all = rows.reduce(block -> centredSums(block, centre, unit, squared), Vectors::add);
            for (int i = 0; rows.sparse() && i < all.length; i++) {
                all[i] += zeros[i] * term(0, centre[i], unit[i], squared);
            }
            return all;
        }

        private static double[] centredSums(Block block, double[] centre, double[] unit, boolean squared) {
            double[] sums = new double[centre.length];
            if (block.sparse()) {
                for (int j = 0; j < block.rows(); j++) {
                    block.nonZeros(j, (i, x) -> sums[i] += term(x, centre[i], unit[i], squared));
                }
                return sums;
            }
            double[] x = new double[centre.length];
            for (int j = 0; j < block.rows(); j++) {
                block.copyRow(j, x, 0);
                for (int i = 0; i < x.length; i++) {
                    sums[i] += term(x[i], centre[i], unit[i], squared);
                }
            }
            return sums;
        }

        /** Scales before it subtracts, so that the difference cannot overflow. */
        private static double term(double x, double centre, double unit, boolean squared) {
            double gap = x * unit - centre * unit;
            return squared ? gap * gap : gap;
        }
    }

    public Dataset apply(Dataset data) {
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
        if (kind == Kind.NONE) {
            return data;
        }
        Dataset stored = data.inStore(data.schema(), store -> new ScaledStore(store, this));
        return stored != null ? stored : data.map(this::apply);
    }

    /**
     * Scales each row of another store when it is read. All blocks of a data set share one instance, so that its rows
     * still belong to one store.
     */
    private record ScaledStore(Store unscaled, Scaling scaling) implements Store {
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
            scaling.apply(into, offset);
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
        if (block.sparse()) {
            SparseBlock.Builder scaled = new SparseBlock.Builder(d);
            for (int j = 0; j < block.rows(); j++) {
                block.nonZeros(j, (i, x) -> scaled.put(i, x / divisors[i]));
                scaled.endRow();
            }
            return scaled.build(block.labels(), block.weights());
        }
        double[] values = new double[block.rows() * d];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, values, j * d);
            apply(values, j * d);
        }
        return new DenseBlock(d, values, block.labels(), block.weights());
    }

    /** Scales the row at {@code offset} in place. */
    private void apply(double[] values, int offset) {
        for (int i = 0; i < offsets.length; i++) {
            double divisor = divisors[i];
            // Do not divide by infinity: the difference may be infinite too.
            values[offset + i] = divisor == Double.POSITIVE_INFINITY ? 0 : (values[offset + i] - offsets[i]) / divisor;
        }
    }
}
