package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.math.Scratch;
import holdfast.model.LinearModel;
import java.util.Arrays;

/**
 * The global maximiser for linear models under a {@link MixedCost}: first the categories of every row change to their best, chosen
 * among the few sums of {@link CategoryGains} by the exact worst case of each; then an {@link ExactMaximiser} moves the other
 * features. A row keeps its categories where others are no worse.
 *
 * <p>phi is a maximum of smooth functions, so Lemma 1 and what follows from it do not hold; the gradient at the worst case is a
 * subgradient.
 */
record MixedMaximiser(LinearModel model, double lambda, MixedCost cost) implements InnerMaximiser {
    MixedMaximiser {
        Ascent.requirePrice(lambda);
    }

    /** Returns what moves rows whose categories have changed. */
    ExactMaximiser rest() {
        return new ExactMaximiser(model, lambda, cost.features());
    }

    @Override
    public void requireServes(Block block) {
        cost.requireFits(block.columns());
    }

    /**
     * Rows with their worst categories.
     *
     * @param block the given one if no category changes
     * @param prices of the changes of each row; null if no category changes
     */
    record Changed(Block block, double[] prices) {}

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        double[] u = new double[block.rows()];
        block.times(theta, u);
        Changed changed = changed(theta, AlongTheta.Line.of(model, cost.features(), theta, block.columns()), block, u);
        WorstCase worst = rest().maximise(theta, changed.block, effort);
        for (int j = 0; changed.prices != null && j < u.length; j++) {
            worst.costs()[j] += changed.prices[j];
        }
        return worst;
    }

    /** @param along x_j . theta */
    Changed changed(double[] theta, AlongTheta.Line line, Block block, double[] along) {
        int n = block.rows();
        double[] labels = block.labels();
        CategoryGains gains = CategoryGains.of(cost.changes(), theta, block);
        CategoryGains.Sums sums = gains.worthwhile(model, labels, lambda);
        int count = sums.rows().length;
        if (count == 0) {
            return new Changed(block, null);
        }
        // All rows as they are, then all sums.
        double[] u = new double[n + count];
        double[] own = Arrays.copyOf(labels, u.length);
        for (int j = 0; j < n; j++) {
            u[j] = along[j] + line.intercept();
        }
        for (int i = 0; i < count; i++) {
            int row = sums.rows()[i];
            u[n + i] = u[row] + sums.gains()[i];
            own[n + i] = labels[row];
        }
        double[] values = values(line.squared(), u, own);
        int[] counts = new int[n];
        double[] prices = new double[n];
        boolean any = false;
        for (int i = 0; i < count; i++) {
            int row = sums.rows()[i];
            double value = values[n + i] - lambda * sums.prices()[i];
            if (value > values[row]) {
                values[row] = value;
                counts[row] = sums.counts()[i];
                prices[row] = sums.prices()[i];
                any = true;
            }
        }
        return any ? new Changed(changed(block, gains, counts), prices) : new Changed(block, null);
    }

    /** Returns l(u + s n) - lambda s^2 n/2 at the best s. */
    private double[] values(double n, double[] u, double[] labels) {
        double[] s = new double[u.length];
        model.worstMoves(u, labels, n, lambda, s, s.length, new Scratch());
        double[] values = new double[s.length];
        for (int j = 0; j < s.length; j++) {
            values[j] = u[j] + s[j] * n;
        }
        model.scoreLosses(values, labels, values, s.length);
        for (int j = 0; j < s.length; j++) {
            values[j] -= lambda * s[j] * (s[j] * n) / 2;
        }
        return values;
    }

    private Block changed(Block block, CategoryGains gains, int[] counts) {
        if (block.sparse()) {
            return changedSparse(block, gains, counts);
        }
        int d = block.columns();
        double[] rows = block.filled("");
        for (int j = 0; j < counts.length; j++) {
            if (counts[j] != 0) {
                CategoryGains.put(cost.changes(), gains.categories(j, counts[j]), rows, j * d);
            }
        }
        return new DenseBlock(d, rows, block.labels(), block.weights());
    }

    /** Does the same in O(values stored + features of the columns), because zeros stay zeros when sparse rows are scaled. */
    private Block changedSparse(Block block, CategoryGains gains, int[] counts) {
        SparseBlock.Builder builder = new SparseBlock.Builder(block.columns());
        double[] x = new double[block.columns()];
        for (int j = 0; j < counts.length; j++) {
            if (counts[j] == 0) {
                block.nonZeros(j, builder::put);
            } else {
                Merge merge = new Merge(builder, gains.categories(j, counts[j]), x);
                block.nonZeros(j, merge::put);
                merge.before(block.columns());
            }
            builder.endRow();
        }
        return builder.build(block.labels(), block.weights());
    }

    /** Puts the values of a row, and its new categories in the places of the old ones. */
    private final class Merge {
        private final SparseBlock.Builder builder;
        private final int[] categories;
        private final double[] x;
        private int next;

        Merge(SparseBlock.Builder builder, int[] categories, double[] x) {
            this.builder = builder;
            this.categories = categories;
            this.x = x;
        }

        void put(int column, double value) {
            before(column);
            boolean replaced = next > 0 && categories[next - 1] >= 0 && column < end(next - 1);
            if (!replaced) {
                builder.put(column, value);
            }
        }

        private int end(int change) {
            return cost.changes().get(change).column().end();
        }

        /** Puts the columns that begin at this place or before. */
        void before(int place) {
            while (next < categories.length && cost.changes().get(next).column().first() <= place) {
                CategoryColumn column = cost.changes().get(next).column();
                if (categories[next] >= 0) {
                    column.put(categories[next], x, 0);
                    for (int i = column.first(); i < end(next); i++) {
                        builder.put(i, x[i]);
                    }
                }
                next++;
            }
        }
    }
}
