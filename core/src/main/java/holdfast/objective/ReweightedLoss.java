package holdfast.objective;

import holdfast.data.Block;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.Model;
import java.util.Arrays;
import java.util.List;

/**
 * What a worker minimises for the worst case over reweighted rows: F_i(theta, mu) = (1/n) sum w_j term(f(theta; x_j,
 * y_j), mu) + (l2/2)||theta||^2. Rows do not move. Workers also report the mean weight of their rows, in the place of one
 * more variable, which stays 0: the steps of the others are for weights of mean 1.
 */
record ReweightedLoss(Model model, Reweighting set, double l2) implements Objective {
    ReweightedLoss {
        Penalty.require(l2);
    }

    @Override
    public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
        return Tree.reduce(blocks.size(), b -> sums(at, blocks.get(b), withLoss), ShardSums::merge);
    }

    private ShardSums sums(Iterate at, Block block, boolean withLoss) {
        int n = block.rows();
        double[] losses = new double[n];
        model.losses(at.theta(), block, losses);
        double[] values = new double[n];
        double[] weights = new double[n];
        int own = set.count();
        double[][] reports = new double[own + 1][n];
        double[] out = new double[Reweighting.REPORTS + set.count()];
        for (int j = 0; j < n; j++) {
            if (at.duals()[Reweighting.SCALE] == 0) {
                unknown(losses[j], out);
            } else {
                set.row(losses[j], at.duals(), out);
            }
            double w = block.weight(j);
            values[j] = w * out[Reweighting.VALUE];
            weights[j] = w * out[Reweighting.WEIGHT];
            for (int k = 0; k < own; k++) {
                reports[k][j] = w * out[Reweighting.REPORTS + k];
            }
            reports[own][j] = w;
        }
        double[] gradient = new double[at.theta().length];
        model.addGradient(at.theta(), block.weighted(weights), gradient);
        double[] reported = new double[reports.length];
        for (int k = 0; k < reports.length; k++) {
            reported[k] = Vectors.sum(reports[k], n);
        }
        return new ShardSums(gradient, reported, withLoss ? Vectors.sum(values, n) : Double.NaN, n, 0);
    }

    private static void unknown(double loss, double[] out) {
        out[Reweighting.VALUE] = loss;
        out[Reweighting.WEIGHT] = 1;
        out[Reweighting.REPORTS] = loss;
        out[Reweighting.REPORTS + 1] = loss * loss;
    }

    @Override
    public double[] gradient(Iterate at, ShardSums sums, int features) {
        double[] gradient = Vectors.scaled(1.0 / sums.rows(), sums.gradient());
        Penalty.addGradient(l2, at.theta(), model, features, gradient);
        return gradient;
    }

    @Override
    public double value(Iterate at, ShardSums sums, int features) {
        return sums.loss() / sums.rows() + Penalty.value(l2, at.theta(), model, features);
    }

    @Override
    public double[] startDuals() {
        return new double[set.count() + 1];
    }

    @Override
    public boolean isComparable(double[] duals) {
        return duals[Reweighting.SCALE] != 0;
    }

    @Override
    public double[] nextDuals(double[] duals, double[] reports, double step) {
        int own = set.count();
        double weight = reports[own];
        if (!(weight > 0)) {
            return duals;
        }
        double[] means = Vectors.scaled(1 / weight, Arrays.copyOf(reports, own));
        return Arrays.copyOf(next(set, Arrays.copyOf(duals, own), means), own + 1);
    }

    /** Returns the next variables, also where there are none yet. */
    static double[] next(Reweighting set, double[] duals, double[] reports) {
        if (duals[Reweighting.SCALE] != 0) {
            return set.next(duals, reports);
        }
        double mean = reports[0];
        double sd = Math.sqrt(Math.max(0, reports[1] - mean * mean));
        return sd > Reweighting.SAME * Math.abs(mean) ? set.first(mean, sd) : duals;
    }
}
