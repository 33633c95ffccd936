package holdfast.shift;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.preparation.Encoding;
import holdfast.preparation.Scaling;
import java.util.Arrays;
import java.util.stream.IntStream;

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
        boolean sparse = features.sparse();
        if (sparse && encoding.columns().isEmpty()) {
            return zeroed(features);
        }
        int d = features.columns();
        double[] lost = scaling.offsets();
        int[] ends = ends(encoding, lost);
        double[] values = new double[sparse ? d : features.rows() * d];
        SparseBlock.Builder left = new SparseBlock.Builder(d);
        for (int j = 0; j < features.rows(); j++) {
            int at = sparse ? 0 : j * d;
            features.copyRow(j, values, at);
            lose(values, at, lost, ends, seed(features, j));
            for (int i = 0; sparse && i < d; i++) {
                left.put(i, values[i]);
            }
            left.endRow();
        }
        return sparse
                ? left.build(features.labels(), features.weights())
                : new DenseBlock(d, values, features.labels(), features.weights());
    }

    /** Loses values of sparse rows, which are scaled without offsets: a lost one is 0. */
    private Block zeroed(Block features) {
        SparseBlock.Builder left = new SparseBlock.Builder(features.columns());
        for (int j = 0; j < features.rows(); j++) {
            Seed row = seed(features, j);
            features.nonZeros(j, (i, x) -> left.put(i, loses(row, i) ? 0 : x));
            left.endRow();
        }
        return left.build(features.labels(), features.weights());
    }

    /**
     * Returns where the features of each column end.
     *
     * @param lost what a feature becomes that is lost; the fills of the columns are written into it
     */
    private static int[] ends(Encoding encoding, double[] lost) {
        if (encoding.columns().isEmpty()) {
            return IntStream.rangeClosed(1, lost.length).toArray();
        }
        int[] ends = encoding.firstFeatures();
        Arrays.setAll(ends, c -> encoding.columns().get(c).fillIn(lost, ends[c]));
        return ends;
    }

    private void lose(double[] values, int at, double[] lost, int[] ends, Seed row) {
        int from = 0;
        for (int c = 0; c < ends.length; c++) {
            if (loses(row, c)) {
                System.arraycopy(lost, from, values, at + from, ends[c] - from);
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
