package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.ConjugateGradient;
import holdfast.math.Threads;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.Model;
import java.util.List;

/**
 * What a worker minimises on its shard of n rows: F_i(theta) = (1/n) sum w_j phi_lambda(theta; x_j) +
 * (l2/2)||theta||^2, where the penalty covers the elements of theta that {@link Model#penalised} names. The penalty is
 * part of every worker's update, before any screening, so that liars gain nothing from it.
 */
public record RobustLoss(Model model, InnerMaximiser maximiser, Effort.Schedule effort, double l2)
        implements Objective {
    private static final double SOLVED = 1e-12;
    private static final int MAX_PRODUCTS = 500;

    public RobustLoss {
        Penalty.require(l2);
    }

    /** The mean loss of the rows as they are. */
    public static RobustLoss plain(Model model) {
        return new RobustLoss(model, InnerMaximiser.none(), Effort.always(new Effort.Steps(0)), 0);
    }

    /**
     * Returns this loss for labels that may change too, at the price kappa: phi = max over y' of (phi(x, y') - lambda kappa [y' !=
     * y]). It is not smooth. Where rows do not move, labels do not change either.
     *
     * @throws holdfast.InputException if labels are not classes, or kappa is not above 0
     */
    public RobustLoss withLabelPrice(double kappa, int classes) {
        InnerMaximiser flips = new LabelFlips(model, maximiser, kappa, classes);
        return maximiser.lambda() == Double.POSITIVE_INFINITY ? this : new RobustLoss(model, flips, effort, l2);
    }

    /** Sums along the fixed tree of the blocks. */
    @Override
    public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
        int features = blocks.get(0).columns();
        return Tree.reduce(
                blocks.size(),
                () -> {
                    LinearPass pass = withLoss
                            ? null
                            : LinearPass.of(model, maximiser, at.theta(), effort.at(at.early()), features);
                    return b ->
                            pass == null ? sums(at, blocks.get(b), withLoss).withoutDuals() : pass.over(blocks.get(b));
                },
                ShardSums::merge);
    }

    /** The same sums, with the sum of w_j c(z_j, x_j) in the place of gradients in the objective's own variables. */
    ShardSums sumsWithCosts(Iterate at, List<Block> blocks, boolean withLoss) {
        return Tree.reduce(blocks.size(), b -> sums(at, blocks.get(b), withLoss), ShardSums::merge);
    }

    /** One leaf of that tree, with costs. */
    private ShardSums sums(Iterate at, Block block, boolean withLoss) {
        double[] theta = at.theta();
        WorstCase worst = maximiser.maximise(theta, block, effort.at(at.early()));
        double[] gradient = new double[theta.length];
        model.addGradient(theta, worst.rows(), gradient);
        double transport = block.weights() == null
                ? Vectors.sum(worst.costs(), block.rows())
                : Vectors.dot(worst.costs(), block.weights(), block.rows());
        double loss = withLoss
                ? model.loss(theta, worst.rows()) - (transport == 0 ? 0 : maximiser.lambda() * transport)
                : Double.NaN;
        return new ShardSums(gradient, new double[] {transport}, loss, block.rows(), worst.precision());
    }

    /** grad F_i(theta) from the sums over the shard. */
    @Override
    public double[] gradient(Iterate at, ShardSums sums, int features) {
        double[] g = sums.gradient().clone();
        for (int i = 0; i < g.length; i++) {
            g[i] /= sums.rows();
        }
        Penalty.addGradient(l2, at.theta(), model, features, g);
        return g;
    }

    /**
     * (H + (damping + l2) I)^-1 g, a Newton step for the gradient g on these rows. H is the Hessian of the loss at the
     * rows moved to their worst case; it ignores that the worst case moves with theta. Solved by conjugate gradients
     * from products with H, which is never formed.
     */
    @Override
    public double[] newton(Iterate at, Dataset rows, double[] g, double damping) {
        double[] theta = at.theta();
        List<Block> blocks = rows.blocks();
        Model.Curvature[] hessian = new Model.Curvature[blocks.size()];
        Threads.here()
                .each(
                        hessian.length,
                        b -> hessian[b] = model.curvature(
                                theta,
                                maximiser
                                        .maximise(theta, blocks.get(b), effort.at(at.early()))
                                        .rows()));
        return ConjugateGradient.solve(
                v -> {
                    double[] turned = Vectors.scaled(1.0 / rows.rows(), times(hessian, v));
                    Vectors.addScaled(turned, damping, v, v.length);
                    Vectors.addScaled(turned, l2, v, model.penalised(rows.columns()));
                    return turned;
                },
                g,
                SOLVED,
                MAX_PRODUCTS);
    }

    /** Multiplies along the fixed tree of the blocks. */
    private static double[] times(Model.Curvature[] blocks, double[] v) {
        return Tree.reduce(
                blocks.length,
                b -> {
                    double[] out = new double[v.length];
                    blocks[b].addTimes(v, out);
                    return out;
                },
                Vectors::add);
    }

    /** F_i(theta) from the sums over the shard. */
    @Override
    public double value(Iterate at, ShardSums sums, int features) {
        return sums.loss() / sums.rows() + Penalty.value(l2, at.theta(), model, features);
    }

    @Override
    public void requireServes(Block block) {
        maximiser.requireServes(block);
    }
}
