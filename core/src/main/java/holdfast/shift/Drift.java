package holdfast.shift;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.preparation.Encoding;
import holdfast.preparation.Scaling;
import java.util.Arrays;

/**
 * Multiplies each column of numbers by a factor of its own, the same for all rows, as if its sensor had been calibrated
 * anew. The factors are drawn uniformly from [1 - factor, 1 + factor], by the number of the column. They apply to the
 * numbers as measured, before scaling, so a column far from zero moves further than its spread suggests. Text and marks
 * of missing cells have no unit and stay.
 *
 * @param factor how far the factors reach from 1
 * @param draw which of many draws of the factors
 */
public record Drift(double factor, int draw) implements Shift {
    private static final Seed SEED = Seed.of(0).child("shift").child("drift");

    public Drift {
        Check.that(factor >= 0 && factor <= 1, "drift: factor must be from 0 to 1, got %s", factor);
    }

    /** The first draw. */
    public Drift(double factor) {
        this(factor, 0);
    }

    /** Returns the factor of a column. */
    double of(int column) {
        double drawn = SEED.child("draw", draw).child("column", column).random().nextDouble();
        return 1 + factor * (2 * drawn - 1);
    }

    @Override
    public Block measured(Encoding encoding, Scaling scaling, Block features) {
        int d = features.columns();
        double[] factors = factors(encoding, d);
        if (features.sparse()) {
            SparseBlock.Builder drifted = new SparseBlock.Builder(d);
            for (int j = 0; j < features.rows(); j++) {
                features.nonZeros(j, (i, x) -> drifted.put(i, factors[i] * x));
                drifted.endRow();
            }
            return drifted.build(features.labels(), features.weights());
        }
        double[] values = features.filled("");
        for (int i = 0; i < values.length; i++) {
            values[i] *= factors[i % d];
        }
        return new DenseBlock(d, values, features.labels(), features.weights());
    }

    private double[] factors(Encoding encoding, int features) {
        double[] factors = new double[features];
        if (encoding.columns().isEmpty()) {
            Arrays.setAll(factors, this::of);
            return factors;
        }
        Arrays.fill(factors, 1);
        int[] first = encoding.firstFeatures();
        for (int c = 0; c < first.length; c++) {
            factors[first[c]] = encoding.columns().get(c).isText() ? 1 : of(c);
        }
        return factors;
    }

    @Override
    public String name() {
        return "drift " + factor + (draw == 0 ? "" : ", draw " + draw);
    }
}
