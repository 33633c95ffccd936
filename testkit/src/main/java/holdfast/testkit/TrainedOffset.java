package holdfast.testkit;

import holdfast.data.Block;
import holdfast.math.Tree;
import holdfast.model.Model;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.RobustLoss;
import holdfast.objective.ShardSums;
import java.util.List;

/**
 * An objective with one dual variable mu that theta depends on, to test that an engine, a checkpoint or a loop carries
 * dual variables: F_i(theta, mu) = mean loss + (1/2n) sum (mu - y_j)^2 + mu theta_0.
 */
public record TrainedOffset(RobustLoss loss) implements Objective {
    public TrainedOffset(Model model) {
        this(RobustLoss.plain(model));
    }

    @Override
    public Model model() {
        return loss.model();
    }

    @Override
    public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
        return Tree.reduce(blocks.size(), b -> sums(at, blocks.get(b), withLoss), ShardSums::merge);
    }

    private ShardSums sums(Iterate at, Block block, boolean withLoss) {
        ShardSums plain = loss.sums(at, List.of(block), withLoss);
        double mu = at.duals()[0];
        double gap = 0;
        double squares = 0;
        for (int j = 0; j < block.rows(); j++) {
            double off = mu - block.label(j);
            gap += off;
            squares += off * off / 2;
        }
        return new ShardSums(
                plain.gradient(), new double[] {gap}, plain.loss() + squares, plain.rows(), plain.precision());
    }

    @Override
    public double[] gradient(Iterate at, ShardSums sums, int features) {
        double[] gradient = loss.gradient(at, sums, features);
        gradient[0] += at.duals()[0];
        return gradient;
    }

    @Override
    public double value(Iterate at, ShardSums sums, int features) {
        return loss.value(at, sums, features) + at.duals()[0] * at.theta()[0];
    }

    @Override
    public double[] startDuals() {
        return new double[] {3};
    }

    @Override
    public double[] dualGradient(Iterate at, ShardSums sums) {
        return new double[] {sums.duals()[0] / sums.rows() + at.theta()[0]};
    }

    @Override
    public double[] nextDuals(double[] duals, double[] gradient, double step) {
        return new double[] {duals[0] - step * gradient[0]};
    }
}
