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
 * Loses each cell of a row with the same probability. A lost cell becomes what the model's preparation makes of a missing
 * one: a column's mean, the shares of its values, its mark. A column that the model does not fill becomes what it scales
 * to 0: the mean of the training rows if it subtracts means, otherwise usually 0. Which cells a row loses is drawn by the
 * row's own values and the number of the column, so it does not depend on other rows; equal rows lose the same cells.
 *
 * @param share the probability
 */
public record Missing(double share) implements Shift {
    private static final Seed SEED = Seed.of(0).child("shift").child("missing");

    public Missing {
        Check.that(share >= 0 && share <= 1, "missing: share must be from 0 to 1, got %s", share);
    }

    @Override
    public Block measured(Encoding encoding, Scaling scaling, Block features) {
        int d = features.columns();
        boolean cells = encoding.columns().isEmpty();
        if (features.sparse() && cells) {
            SparseBlock.Builder left = new SparseBlock.Builder(d);
            for (int j = 0; j < features.rows(); j++) {
                Seed row = seed(features, j);
                features.nonZeros(j, (i, x) -> left.put(i, loses(row, i) ? 0 : x));
                left.endRow();
            }
            return left.build(features.labels(), features.weights());
        }
        double[] lost = scaling.offsets();
        int[] ends = new int[d];
        Arrays.setAll(ends, i -> i + 1);
        if (!cells) {
            ends = encoding.firstFeatures();
            for (int c = 0; c < ends.length; c++) {
                ends[c] = encoding.columns().get(c).fillIn(lost, ends[c]);
            }
        }
        double[] row = new double[d];
        double[] values = new double[features.sparse() ? 0 : features.rows() * d];
        SparseBlock.Builder sparse = new SparseBlock.Builder(d);
        for (int j = 0; j < features.rows(); j++) {
            features.copyRow(j, row, 0);
            lose(row, lost, ends, seed(features, j));
            if (!features.sparse()) {
                System.arraycopy(row, 0, values, j * d, d);
                continue;
            }
            for (int i = 0; i < d; i++) {
                sparse.put(i, row[i]);
            }
            sparse.endRow();
        }
        return features.sparse()
                ? sparse.build(features.labels(), features.weights())
                : new DenseBlock(d, values, features.labels(), features.weights());
    }

    /** @param ends where the features of each column end */
    private void lose(double[] row, double[] lost, int[] ends, Seed seed) {
        int from = 0;
        for (int c = 0; c < ends.length; c++) {
            if (loses(seed, c)) {
                System.arraycopy(lost, from, row, from, ends[c] - from);
            }
            from = ends[c];
        }
    }

    private static Seed seed(Block features, int row) {
        Seed[] seed = {SEED};
        features.nonZeros(row, (i, x) -> seed[0] = seed[0].child("", i).child("", Double.doubleToLongBits(x)));
        return seed[0];
    }

    private boolean loses(Seed row, int column) {
        return row.child("column", column).random().nextDouble() < share;
    }

    @Override
    public String name() {
        return "missing " + share;
    }
}
