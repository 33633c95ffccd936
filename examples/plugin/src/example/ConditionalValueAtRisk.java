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
 * The mean loss of the worst rows, a share 1 - level of them: the conditional value at risk. It is the smallest value
 * over mu of F(theta, mu) = (1/n) sum w_j (mu + (f_j - mu)_+ / (1 - level)), f_j = f(theta; x_j, y_j), and the best mu
 * is the loss that this share of the rows exceeds (Rockafellar, Uryasev 2000). So theta and mu are learnt together, and
 * mu is a variable of the objective's own.
 *
 * @param level at least 0, where it is the mean of all rows, and below 1
 */
public record ConditionalValueAtRisk(double level) implements ObjectiveFamily {
    public ConditionalValueAtRisk {
        Check.that(level >= 0 && level < 1, "cvar: level must be at least 0 and below 1, got %s", level);
    }

    @Override
    public Objective on(Model model, double l2) {
        return new WorstRows(model, 1 / (1 - level), l2);
    }

    /** @param excess what a loss beyond mu is multiplied by */
    private record WorstRows(Model model, double excess, double l2) implements Objective {
        @Override
        public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
            return Tree.reduce(blocks.size(), b -> sums(at, blocks.get(b), withLoss), ShardSums::merge);
        }

        /** Rows up to mu have no slope in theta: they get the weight 0. */
        private ShardSums sums(Iterate at, Block block, boolean withLoss) {
            int n = block.rows();
            double mu = at.duals()[0];
            double[] values = new double[n];
            double[] slopes = new double[n];
            double[] weights = new double[n];
            model.losses(at.theta(), block, values);
            for (int j = 0; j < n; j++) {
                double w = block.weight(j);
                weights[j] = values[j] > mu ? w * excess : 0;
                slopes[j] = w - weights[j];
                values[j] = w * mu + weights[j] * (values[j] - mu);
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

        /** mu starts at 0, below every loss that is not negative: all rows count at first. */
        @Override
        public double[] startDuals() {
            return new double[1];
        }

        @Override
        public double[] nextDuals(double[] duals, double[] gradient, double step) {
            return new double[] {duals[0] - step * gradient[0]};
        }
    }
}
