package holdfast.certificate;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Threads;
import holdfast.model.PoissonRegression;
import holdfast.objective.Box;
import holdfast.objective.BoxMaximiser;
import holdfast.objective.Effort;
import holdfast.objective.WeightedL2;
import holdfast.objective.WorstCase;
import java.util.List;

/** The exact worst moves of Poisson regression in a box, see {@link BoxMaximiser}. They need the rows for every price. */
final class BoxMoves implements WorstMoves {
    private final PoissonRegression model;
    private final double[] theta;
    private final Box box;
    private final WeightedL2 cost;
    private final Dataset scaled;

    BoxMoves(PoissonRegression model, TrainedModel trained, Dataset data, Box box, WeightedL2 cost, ScoredRows rows) {
        this.model = model;
        this.theta = trained.theta();
        this.box = box;
        this.cost = cost;
        this.scaled = trained.scaling().apply(trained.labels().apply(data)).select(rows.order());
        scaled.blocks().forEach(block -> new BoxMaximiser(model, 1, box).requireServes(block));
    }

    @Override
    public boolean exact() {
        return true;
    }

    @Override
    public double[] lossesAtRest() {
        double[] losses = new double[scaled.rows()];
        eachBlock((block, first) -> losses(block, first, losses));
        return losses;
    }

    private void losses(Block block, int first, double[] into) {
        double[] own = new double[block.rows()];
        model.losses(theta, block, own);
        System.arraycopy(own, 0, into, first, own.length);
    }

    private interface BlockTask {
        void run(Block block, int first);
    }

    private void eachBlock(BlockTask task) {
        List<Block> blocks = scaled.blocks();
        Threads.here().each(blocks.size(), b -> task.run(blocks.get(b), b * scaled.blockRows()));
    }

    @Override
    public Moves at(double lambda) {
        BoxMaximiser maximiser = new BoxMaximiser(model, lambda, box, cost);
        double[] losses = new double[scaled.rows()];
        double[] bounds = new double[scaled.rows()];
        double[] costs = new double[scaled.rows()];
        Block[] moved = new Block[scaled.blocks().size()];
        eachBlock((block, first) -> {
            WorstCase worst = maximiser.maximise(theta, block, new Effort.Steps(0));
            moved[first / scaled.blockRows()] = worst.rows();
            losses(worst.rows(), first, losses);
            System.arraycopy(worst.costs(), 0, costs, first, block.rows());
            double[] u = new double[block.rows()];
            model.scores(theta, worst.rows(), u);
            for (int j = 0; j < u.length; j++) {
                double reach = Math.abs(u[j]);
                double slope = model.slopeBound(u[j], Math.abs(block.label(j)));
                // As in OneScoreMoves: l is convex, and the distance from the best z is known, here in the norm of the
                // cost.
                double apart = worst.precision() * worst.precision() * cost.least();
                bounds[first + j] = losses[first + j]
                        - lambda * costs[first + j]
                        + lambda * apart / 2
                        + OneScoreMoves.ROUNDING * slope * (1 + reach);
            }
        });
        return new Moves(
                bounds,
                losses,
                costs,
                (row, x) -> moved[row / scaled.blockRows()].copyRow(row % scaled.blockRows(), x, 0));
    }
}
