package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.model.Model;

/**
 * The worst case where labels may change as well: phi = max over y' of (phi(x, y') - lambda kappa [y' != y]), where phi(x, y') is
 * the worst case of the row with the label y'. As exact as the maximiser of the features is. A row keeps its label where another
 * is no worse.
 *
 * <p>A maximum of smooth functions is not smooth, so Lemma 1 and what follows from it do not hold; the gradient at the worst
 * label is a subgradient.
 *
 * @param features finds the worst features for given labels
 * @param kappa what another label costs, in the units of the cost; above 0
 * @param classes how many labels there are
 */
record LabelFlips(Model model, InnerMaximiser features, double kappa, int classes) implements InnerMaximiser {
    LabelFlips {
        Check.that(kappa > 0 && Double.isFinite(kappa), "--label-price must be finite and > 0, got %s", kappa);
        Check.that(classes >= 2, "--label-price needs labels that are classes, and %s has numbers", model.name());
    }

    @Override
    public double lambda() {
        return features.lambda();
    }

    @Override
    public void requireServes(Block block) {
        features.requireServes(block);
        block.requireFillable("leave out --label-price");
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int n = block.rows();
        int d = block.columns();
        double[] rows = new double[n * d];
        double[] labels = new double[n];
        double[] costs = new double[n];
        double[] best = new double[n];
        double[] losses = new double[n];
        double[] other = new double[n];
        double precision = 0;
        // The row's own label first, then the others from 0; turn t gives every row its t-th.
        for (int turn = 0; turn < classes; turn++) {
            for (int j = 0; j < n; j++) {
                int own = (int) block.label(j);
                other[j] = turn == 0 ? own : turn <= own ? turn - 1 : turn;
            }
            WorstCase worst = features.maximise(theta, block.relabelled(other.clone()), effort);
            precision = Math.max(precision, worst.precision());
            model.losses(theta, worst.rows(), losses);
            for (int j = 0; j < n; j++) {
                double cost = worst.costs()[j] + (turn == 0 ? 0 : kappa);
                double gain = losses[j] - lambda() * cost;
                if (turn == 0 || gain > best[j]) {
                    best[j] = gain;
                    labels[j] = other[j];
                    costs[j] = cost;
                    worst.rows().copyRow(j, rows, j * d);
                }
            }
        }
        return new WorstCase(new DenseBlock(d, rows, labels, block.weights()), costs, precision);
    }
}
