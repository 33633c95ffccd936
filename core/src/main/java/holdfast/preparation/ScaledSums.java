package holdfast.preparation;

import holdfast.data.Block;
import java.io.Serializable;
import java.util.Arrays;

/**
 * One sum per column that neither overflows nor underflows: the sum of the terms (x - centre) unit, or of their squares,
 * where the unit is 1 for values of ordinary size and else the power of two that brings the largest of them near 1.
 */
final class ScaledSums implements Serializable {
    private static final long serialVersionUID = 1;

    /** Sums of squares neither overflow nor underflow if the exponents of the values are no larger than this. */
    private static final int SAFE_EXPONENT = 400;

    private static final double SMALL = 1e-200;
    private static final double LARGE = 1e300;

    private final double[] sums;
    private final double[] units;
    private final boolean squared;

    private ScaledSums(double[] sums, double[] units, boolean squared) {
        this.sums = sums;
        this.units = units;
        this.squared = squared;
    }

    /**
     * Sums x - centre, or its square, over the rows of a block, each times its weight; zeros that it does not store are
     * left out.
     */
    static ScaledSums of(Block block, double[] centres, boolean squared) {
        double[] units = new double[centres.length];
        Arrays.fill(units, 1);
        double[] sums = sums(block, centres, units, squared);
        if (Arrays.stream(sums).allMatch(ScaledSums::isSafe)) {
            return new ScaledSums(sums, units, squared);
        }
        double[] sizes = new double[centres.length];
        // Halves, because a difference may overflow.
        forEach(block, (i, x, weight) -> sizes[i] = Math.max(sizes[i], Math.abs(x / 2 - centres[i] / 2)));
        Arrays.setAll(units, i -> unit(sizes[i]));
        return new ScaledSums(sums(block, centres, units, squared), units, squared);
    }

    private static double[] sums(Block block, double[] centres, double[] units, boolean squared) {
        double[] sums = new double[centres.length];
        forEach(block, (i, x, weight) -> sums[i] += weight * term(x, centres[i], units[i], squared));
        return sums;
    }

    /** Returns whether no term of a sum can have overflowed, and none that matters can have underflowed. */
    private static boolean isSafe(double sum) {
        return Math.abs(sum) > SMALL && Math.abs(sum) < LARGE;
    }

    /** Receives a value and the weight of its row. */
    private interface Visitor {
        void accept(int column, double value, double weight);
    }

    private static void forEach(Block block, Visitor visitor) {
        if (block.sparse()) {
            for (int j = 0; j < block.rows(); j++) {
                double weight = block.weight(j);
                block.nonZeros(j, (i, x) -> visitor.accept(i, x, weight));
            }
            return;
        }
        double[] row = new double[block.columns()];
        for (int j = 0; j < block.rows(); j++) {
            block.copyRow(j, row, 0);
            double weight = block.weight(j);
            for (int i = 0; i < row.length; i++) {
                visitor.accept(i, row[i], weight);
            }
        }
    }

    /** Returns the power of two that brings values up to this size near 1; 1 if their squares are safe unscaled. */
    private static double unit(double size) {
        int exponent = Math.getExponent(size);
        return size == 0 || Math.abs(exponent) <= SAFE_EXPONENT ? 1 : Math.scalb(1.0, -exponent);
    }

    /** Scales before it subtracts, so that the difference cannot overflow. */
    private static double term(double x, double centre, double unit, boolean squared) {
        double gap = x * unit - centre * unit;
        return squared ? gap * gap : gap;
    }

    /** Adds this many rows with a zero in the column. */
    void addZeros(double[] counts, double[] centres) {
        for (int i = 0; i < sums.length; i++) {
            if (counts[i] > 0) {
                double own = unit(Math.abs(centres[i]));
                add(i, counts[i] * term(0, centres[i], own, squared), own);
            }
        }
    }

    static ScaledSums merge(ScaledSums a, ScaledSums b) {
        for (int i = 0; i < a.sums.length; i++) {
            a.add(i, b.sums[i], b.units[i]);
        }
        return a;
    }

    /** Adds a sum in another unit. The sum of the larger values keeps its unit. */
    private void add(int i, double other, double unit) {
        if (units[i] == unit || other == 0) {
            sums[i] += other;
        } else if (sums[i] == 0) {
            sums[i] = other;
            units[i] = unit;
        } else if (unit > units[i]) {
            sums[i] += rescaled(other, unit, units[i]);
        } else {
            sums[i] = rescaled(sums[i], units[i], unit) + other;
            units[i] = unit;
        }
    }

    private double rescaled(double sum, double from, double to) {
        double factor = to / from;
        return squared ? sum * factor * factor : sum * factor;
    }

    double mean(int i, double rows) {
        return sums[i] / rows / units[i];
    }

    /** Returns sqrt(sum/rows) for sums of squares. */
    double root(int i, double rows) {
        return Math.sqrt(sums[i] / rows) / units[i];
    }
}
