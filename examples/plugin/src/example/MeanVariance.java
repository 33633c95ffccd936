package example;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.ShardSums;
import java.util.List;

/**
 * An example of your own objective: the mean loss plus weight/2 times the variance of the losses. A variance does not
 * average over workers, but it is the least value over mu of the mean of (f_j - mu)^2, which does. So F(theta, mu) =
 * (1/n) sum w_j (f_j + weight/2 (f_j - mu)^2), f_j = f(theta; x_j, y_j), and mu is a variable of the objective's own,
 * learnt together with theta.
 *
 * @param weight at least 0, where it is plain training
 */
public record MeanVariance(double weight) implements ObjectiveFamily {
    public MeanVariance {
        Check.that(
                weight >= 0 && Double.isFinite(weight),
                "mean-variance: weight must be finite and at least 0, got %s",
                weight);
    }

    @Override
    public Objective on(Model model, double l2) {
        return new Spread(model, weight, l2);
    }

    private record Spread(Model model, double weight, double l2) implements Objective {
        @Override
        public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
            return Tree.reduce(blocks.size(), b -> sums(at, blocks.get(b), withLoss), ShardSums::merge);
        }

        private ShardSums sums(Iterate at, Block block, boolean withLoss) {
            int n = block.rows();
            double[] values = new double[n];
            double[] slopes = new double[n];
            double[] weights = new double[n];
            model.losses(at.theta(), block, values);
            for (int j = 0; j < n; j++) {
                double off = values[j] - at.duals()[0];
                double w = block.weight(j);
                weights[j] = w * (1 + weight * off);
                slopes[j] = -w * weight * off;
                values[j] = w * (values[j] + weight / 2 * off * off);
            }
            double[] gradient = new double[at.theta().length];
            model.addGradient(at.theta(), block.weighted(weights), gradient);
            double loss = withLoss ? Vectors.sum(values, n) : Double.NaN;
            return new ShardSums(gradient, new double[] {Vectors.sum(slopes, n)}, loss, n, 0);
        }

        @Override
        public double[] gradient(Iterate at, ShardSums sums, int features) {
            double[] gradient = Vectors.scaled(1.0 / sums.rows(), sums.gradient());
            Vectors.addScaled(gradient, l2, at.theta(), model.penalised(features));
            return gradient;
        }

        @Override
        public double value(Iterate at, ShardSums sums, int features) {
            return sums.loss() / sums.rows() + l2 / 2 * Vectors.dot(at.theta(), at.theta(), model.penalised(features));
        }

        /** mu starts at 0, as if every loss were too large. */
        @Override
        public double[] startDuals() {
            return new double[1];
        }

        /** The gradient is weight (mu - mean loss): a full step leads to the mean loss. */
        @Override
        public double[] nextDuals(double[] duals, double[] gradient, double step) {
            return new double[] {weight == 0 ? 0 : duals[0] - gradient[0] / weight};
        }
    }
}
