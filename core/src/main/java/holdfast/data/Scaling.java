package holdfast.data;

import holdfast.Check;
import holdfast.InputException;
import holdfast.math.Tree;
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
        /** Columns as they are. */
        NONE("none"),
        /** Divide by the standard deviation; zeros stay zeros. */
        SD("sd"),
        /** Subtract the mean, divide by the standard deviation. */
        STANDARDISE("standardise"),
        /** Map the training range to [0, 1]. */
        MIN_MAX("min-max");

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
        Check.that(
                offsets.length == divisors.length && Vectors.finite(offsets) && Vectors.finite(divisors),
                "scaling needs one finite offset and divisor per column, got %d and %d",
                offsets.length,
                divisors.length);
        for (double divisor : divisors) {
            Check.that(divisor > 0, "scaling: divisors must be > 0, got %s", divisor);
        }
    }

    public static Scaling fit(Kind kind, Dataset training) {
        int d = training.columns();
        double[] offsets = new double[d];
        double[] divisors = new double[d];
        Arrays.fill(divisors, 1);
        switch (kind) {
            case NONE -> {}
            case SD -> divisors = deviations(training, means(training));
            case STANDARDISE -> {
                offsets = means(training);
                divisors = deviations(training, offsets);
            }
            case MIN_MAX -> {
                Arrays.fill(offsets, Double.POSITIVE_INFINITY);
                double[] highest = new double[d];
                Arrays.fill(highest, Double.NEGATIVE_INFINITY);
                for (int r = 0; r < training.rows(); r++) {
                    double[] x = training.row(r);
                    for (int i = 0; i < d; i++) {
                        offsets[i] = Math.min(offsets[i], x[i]);
                        highest[i] = Math.max(highest[i], x[i]);
                    }
                }
                for (int i = 0; i < d; i++) {
                    divisors[i] = highest[i] > offsets[i] ? highest[i] - offsets[i] : 1;
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

    private static double[] means(Dataset data) {
        double[] mean = columnSums(data, new double[data.columns()], false);
        for (int i = 0; i < mean.length; i++) {
            mean[i] /= data.rows();
        }
        return mean;
    }

    private static double[] deviations(Dataset data, double[] mean) {
        double[] deviation = columnSums(data, mean, true);
        for (int i = 0; i < mean.length; i++) {
            double sd = Math.sqrt(deviation[i] / data.rows());
            // Below this the column is its mean plus rounding errors: constant.
            deviation[i] = sd > 1e-12 * Math.abs(mean[i]) && sd > 0 ? sd : 1;
        }
        return deviation;
    }

    /** Per column the sum of (x - centre), or of its square, along the fixed tree of blocks. */
    private static double[] columnSums(Dataset data, double[] centre, boolean squared) {
        return Tree.reduce(
                data.blocks().size(),
                b -> {
                    Block block = data.blocks().get(b);
                    double[] sums = new double[centre.length];
                    double[] x = new double[centre.length];
                    for (int j = 0; j < block.rows(); j++) {
                        block.copyRow(j, x, 0);
                        for (int i = 0; i < x.length; i++) {
                            double gap = x[i] - centre[i];
                            sums[i] += squared ? gap * gap : gap;
                        }
                    }
                    return sums;
                },
                Vectors::add);
    }

    public Dataset apply(Dataset data) {
        Check.that(
                data.columns() == offsets.length,
                "data must have %d feature columns, got %d",
                offsets.length,
                data.columns());
        return kind == Kind.NONE ? data : data.map(this::apply);
    }

    private Block apply(Block block) {
        int d = block.columns();
        double[] values = new double[block.rows() * d];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, values, j * d);
            for (int i = 0; i < d; i++) {
                values[j * d + i] = (values[j * d + i] - offsets[i]) / divisors[i];
            }
        }
        return new DenseBlock(d, values, block.labels(), block.weights());
    }
}
