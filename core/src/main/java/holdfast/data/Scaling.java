package holdfast.data;

import holdfast.Check;
import holdfast.InputException;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Per column, x becomes (x - offset) / divisor, with both fitted on training rows alone. A constant column has divisor
 * 1: it carries no information and must not become NaN.
 */
public record Scaling(Kind kind, double[] offsets, double[] divisors) {

    /** Which offset and divisor. The standard deviation is the population's: sqrt(mean (x - mean)^2). */
    public enum Kind {
        /** {@link #STANDARDISE}, {@link #MAX_ABS} where rows are sparse, {@link #SD} without an intercept: asked for, never what was fitted. */
        AUTO("auto"),
        /** Columns as they are. */
        NONE("none"),
        /** Divide by the standard deviation; zeros stay zeros. */
        SD("sd"),
        /** Subtract the mean, divide by the standard deviation. */
        STANDARDISE("standardise"),
        /** Map the training range to [0, 1]. */
        MIN_MAX("min-max"),
        /** Divide by the largest |x|; zeros stay zeros, and a feature that few rows have is not blown up as by SD. */
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
            throw new InputException("scale must be one of "
                    + Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(", ")) + "; got '" + text
                    + "'");
        }
    }

    public Scaling {
        Check.that(kind != Kind.AUTO, "a fitted scaling must not be auto");
        Check.that(
                offsets.length == divisors.length && Vectors.finite(offsets) && Vectors.finite(divisors),
                "scaling needs one finite offset and divisor per column, got %d and %d",
                offsets.length,
                divisors.length);
        for (double divisor : divisors) {
            Check.that(divisor > 0, "scaling: divisors must be > 0, got %s", divisor);
        }
    }

    /**
     * Sparse rows take O(values stored + columns).
     *
     * @throws InputException for sparse rows and an offset that is not zero: it would fill them
     */
    public static Scaling fit(Kind asked, Rows training) {
        return fit(asked, training, true);
    }

    /** @param intercept whether the model has one; automatic scaling shifts nothing where it has not */
    public static Scaling fit(Kind asked, Rows training, boolean intercept) {
        boolean sparse = training.sparse();
        Kind kind = asked != Kind.AUTO ? asked : sparse ? Kind.MAX_ABS : intercept ? Kind.STANDARDISE : Kind.SD;
        int d = training.schema().features().size();
        double[] offsets = new double[d];
        double[] divisors = new double[d];
        Arrays.fill(divisors, 1);
        switch (kind) {
            case AUTO, NONE -> {}
            case SD -> divisors = deviations(training, means(training));
            case STANDARDISE -> {
                Check.that(
                        !sparse,
                        "%s: scale standardise would fill sparse rows; use scale max-abs or sd",
                        training.source().name());
                offsets = means(training);
                divisors = deviations(training, offsets);
            }
            case MAX_ABS -> {
                double[][] range = range(training);
                for (int i = 0; i < d; i++) {
                    double largest = Math.max(Math.abs(range[0][i]), Math.abs(range[1][i]));
                    divisors[i] = largest > 0 ? largest : 1;
                }
            }
            case MIN_MAX -> {
                double[][] range = range(training);
                offsets = range[0];
                for (int i = 0; i < d; i++) {
                    Check.that(
                            !sparse || offsets[i] == 0,
                            "%s: scale min-max would fill sparse rows: the least value of column %s is %s instead of 0;"
                                    + " use scale max-abs or sd",
                            training.source().name(),
                            training.schema().features().get(i),
                            offsets[i]);
                    divisors[i] = range[1][i] > offsets[i] ? range[1][i] - offsets[i] : 1;
                }
            }
        }
        for (int i = 0; i < d; i++) {
            Check.that(
                    Double.isFinite(offsets[i]) && Double.isFinite(divisors[i]),
                    "%s: the values of column %s are too large to be scaled",
                    training.source().name(),
                    training.schema().features().get(i));
        }
        return new Scaling(kind, offsets, divisors);
    }

    private static double[] means(Rows data) {
        double[] mean = columnSums(data, new double[data.schema().features().size()], false);
        for (int i = 0; i < mean.length; i++) {
            mean[i] /= data.count();
        }
        return mean;
    }

    private static double[] deviations(Rows data, double[] mean) {
        double[] deviation = columnSums(data, mean, true);
        for (int i = 0; i < mean.length; i++) {
            double sd = Math.sqrt(deviation[i] / data.count());
            // Below this the column is its mean plus rounding errors: constant.
            deviation[i] = sd > 1e-12 * Math.abs(mean[i]) && sd > 0 ? sd : 1;
        }
        return deviation;
    }

    /** Per column the least value and the largest, zeros that are not stored among them. */
    private static double[][] range(Rows data) {
        return data.reduce(
                block -> {
                    int d = block.columns();
                    double[] zeros = zeros(block);
                    double[] lowest = new double[d];
                    double[] highest = new double[d];
                    for (int i = 0; i < d; i++) {
                        lowest[i] = zeros[i] > 0 ? 0 : Double.POSITIVE_INFINITY;
                        highest[i] = zeros[i] > 0 ? 0 : Double.NEGATIVE_INFINITY;
                    }
                    eachNonZero(block, (i, x) -> {
                        lowest[i] = Math.min(lowest[i], x);
                        highest[i] = Math.max(highest[i], x);
                    });
                    return new double[][] {lowest, highest};
                },
                (a, b) -> {
                    for (int i = 0; i < a[0].length; i++) {
                        a[0][i] = Math.min(a[0][i], b[0][i]);
                        a[1][i] = Math.max(a[1][i], b[1][i]);
                    }
                    return a;
                });
    }

    private static void eachNonZero(Block block, Block.Entry entry) {
        for (int j = 0; j < block.rows(); j++) {
            block.nonZeros(j, entry);
        }
    }

    /** Per column, how many rows have a zero there. */
    private static double[] zeros(Block block) {
        double[] zeros = new double[block.columns()];
        Arrays.fill(zeros, block.rows());
        eachNonZero(block, (i, x) -> zeros[i]--);
        return zeros;
    }

    /**
     * Per column the sum of (x - centre), or of its square; what the zeros of sparse rows add, all the same, is added at
     * once.
     */
    private static double[] columnSums(Rows data, double[] centre, boolean squared) {
        double[] all = data.reduce(block -> columnSums(block, centre, squared), Vectors::add);
        if (data.sparse()) {
            double[] zeros = data.reduce(Scaling::zeros, Vectors::add);
            for (int i = 0; i < all.length; i++) {
                all[i] += zeros[i] * term(-centre[i], squared);
            }
        }
        return all;
    }

    private static double[] columnSums(Block block, double[] centre, boolean squared) {
        double[] sums = new double[centre.length];
        if (block.sparse()) {
            eachNonZero(block, (i, x) -> sums[i] += term(x - centre[i], squared));
            return sums;
        }
        double[] x = new double[centre.length];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, x, 0);
            for (int i = 0; i < x.length; i++) {
                sums[i] += term(x[i] - centre[i], squared);
            }
        }
        return sums;
    }

    private static double term(double gap, boolean squared) {
        return squared ? gap * gap : gap;
    }

    public Dataset apply(Dataset data) {
        Check.that(
                data.columns() == offsets.length,
                "data must have %d feature columns, got %d",
                offsets.length,
                data.columns());
        Check.that(
                !data.sparse() || keepsZeros(),
                "%s: rows are sparse, but the scaling (%s) subtracts offsets, which would fill them; train with scale max-abs or"
                        + " sd",
                data.source().name(),
                kind);
        return kind == Kind.NONE ? data : data.map(this::apply);
    }

    /** Whether zeros stay zeros, as those of sparse rows must. */
    public boolean keepsZeros() {
        return Vectors.maxAbs(offsets, offsets.length) == 0;
    }

    /** The same of one block, sparse only where zeros stay zeros. */
    public Block apply(Block block) {
        if (block instanceof StoredBlock stored) {
            return stored.scaled(this);
        }
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
    void apply(double[] values, int offset) {
        for (int i = 0; i < offsets.length; i++) {
            values[offset + i] = (values[offset + i] - offsets[i]) / divisors[i];
        }
    }
}
