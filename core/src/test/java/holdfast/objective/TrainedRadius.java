package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import java.util.List;

/**
 * The robust loss of a given radius rho instead of a given price: the dual of sup over distributions within transport cost
 * rho is F(theta, lambda) = lambda rho + (1/n) sum phi_lambda(theta; x_j), minimised over both (Sinha, Namkoong, Duchi
 * 2018). By the envelope theorem its slope in lambda is rho - (1/n) sum c(z_j, x_j): the price rises while rows move
 * further than the radius allows.
 *
 * @param rho the mean cost that moving rows may have
 * @param start lambda in round 0
 * @param least lambda never falls below this
 */
public record TrainedRadius(LinearModel model, double rho, double start, double least) implements Objective {
    public TrainedRadius {
        Check.that(rho > 0 && Double.isFinite(rho), "radius must be finite and > 0, got %s", rho);
        Check.that(start >= least && least > 0, "lambda must start above its least value, got %s and %s", start, least);
    }

    @Override
    public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
        return Tree.reduce(blocks.size(), b -> sums(at, blocks.get(b), withLoss), ShardSums::merge);
    }

    private ShardSums sums(Iterate at, Block block, boolean withLoss) {
        double lambda = at.duals()[0];
        WorstCase worst = new ExactMaximiser(model, lambda).maximise(at.theta(), block, new Effort.Steps(0));
        double[] gradient = new double[at.theta().length];
        model.addGradient(at.theta(), worst.rows(), gradient);
        double moved = block.weights() == null
                ? Vectors.sum(worst.costs(), block.rows())
                : Vectors.dot(worst.costs(), block.weights(), block.rows());
        double loss = withLoss ? model.loss(at.theta(), worst.rows()) - lambda * moved : Double.NaN;
        return new ShardSums(gradient, new double[] {-moved}, loss, block.rows(), worst.precision());
    }

    @Override
    public double[] gradient(Iterate at, ShardSums sums, int features) {
        return Vectors.scaled(1.0 / sums.rows(), sums.gradient());
    }

    @Override
    public double value(Iterate at, ShardSums sums, int features) {
        return at.duals()[0] * rho + sums.loss() / sums.rows();
    }

    @Override
    public double[] startDuals() {
        return new double[] {start};
    }

    @Override
    public double[] dualGradient(Iterate at, ShardSums sums) {
        return new double[] {rho + sums.duals()[0] / sums.rows()};
    }

    @Override
    public double[] nextDuals(double[] duals, double[] gradient, double step) {
        return new double[] {Math.max(least, duals[0] - step * gradient[0])};
    }
}
