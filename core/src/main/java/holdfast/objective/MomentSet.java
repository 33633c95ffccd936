package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import java.util.List;

/**
 * The worst case over all distributions with the rows' first moments and at most {@code factor} times their second
 * moments (after Delage, Ye 2010). With z = (2y - 1)(x, 1) for two classes and z = (x, 1, -y) for numbers, a row's loss
 * depends on one linear score v of z, the margin or the residual. Every distribution of v with the mean of the rows' v_j
 * and E v^2 &lt;= factor mean v_j^2 is the score of a distribution of z with E z as the rows have it and E z z^T &lt;=
 * factor times the rows'; that is why the set is for linear scores. (In it, rows may be anything, labels included.)
 *
 * <p>The logistic loss, Huber's and the squared loss are b v plus an even function e(v) that is concave in v^2, so the
 * worst case is b mean v + e(sqrt(factor mean v^2)), at two scores of one length (b = -1/2 for the logistic loss, 0 for
 * the others). That root does not average over workers. The least value over a of mean [b v + c (factor v^2 - a^2) +
 * e(a)], c = e'(a)/(2a), is the same number and does; a is where the worst scores lie, and c, the price of the second
 * moment, goes to 0 as a grows: far-off scores then become cheap, because the loss grows only linearly.
 *
 * @param factor at least 1
 */
public record MomentSet(double factor) implements ObjectiveFamily {
    public MomentSet {
        Check.that(
                factor >= 1 && Double.isFinite(factor),
                "moments: factor must be finite and at least 1, got %s",
                factor);
    }

    @Override
    public Objective on(Model model, double l2) {
        Check.that(
                model instanceof LogisticRegression
                        || model instanceof HuberRegression
                        || model instanceof LinearRegression,
                "--objective moments needs one linear score and its kind of loss: --model logistic, linear or huber, got %s",
                model.name());
        return new ScoreMoments((LinearModel) model, factor, l2);
    }

    private record ScoreMoments(LinearModel model, double factor, double l2) implements Objective {
        private ScoreMoments {
            Penalty.require(l2);
        }

        /**
         * The loss as b v + e(v) at one length of scores.
         *
         * @param even e(a)
         * @param price c
         */
        private record Split(double b, double even, double price) {
            /** Evaluates the loss at a and -a: as margins with label 1, or as residuals with label 0. */
            static Split at(LinearModel model, double a) {
                double label = model.target().isClass() ? 1 : 0;
                double[] labels = {label, label};
                double[] losses = new double[2];
                double[] weights = new double[model.parameters(1)];
                weights[0] = 1;
                model.losses(weights, new DenseBlock(1, new double[] {a, -a}, labels, null), losses);
                double[] slopes = new double[2];
                model.slopes(new double[] {a, -a}, labels, slopes, 2);
                double[] bends = new double[2];
                model.curvatures(new double[] {a, -a}, labels, bends, 2);
                return new Split(
                        (slopes[0] + slopes[1]) / 2,
                        (losses[0] + losses[1]) / 2,
                        a == 0 ? bends[0] / 2 : (slopes[0] - slopes[1]) / (4 * a));
            }
        }

        @Override
        public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
            Split split = Split.at(model, at.duals()[0]);
            return Tree.reduce(blocks.size(), k -> sums(at, split, blocks.get(k), withLoss), ShardSums::merge);
        }

        private ShardSums sums(Iterate at, Split split, Block block, boolean withLoss) {
            int n = block.rows();
            double a = at.duals()[0];
            double[] scores = new double[n];
            model.scores(at.theta(), block, scores);
            double[] slopes = new double[n];
            double[] squares = new double[n];
            double[] values = new double[n];
            for (int j = 0; j < n; j++) {
                boolean isClass = model.target().isClass();
                double sign = isClass ? 2 * block.label(j) - 1 : 1;
                double v = isClass ? sign * scores[j] : scores[j] - block.label(j);
                double w = block.weight(j);
                slopes[j] = w * sign * (split.b + 2 * split.price * factor * v);
                squares[j] = w * v * v;
                values[j] = w * (split.b * v + split.price * (factor * v * v - a * a) + split.even);
            }
            double[] gradient = new double[at.theta().length];
            block.addTransposed(slopes, gradient);
            if (model.hasIntercept()) {
                gradient[block.columns()] += Vectors.sum(slopes, n);
            }
            return new ShardSums(
                    gradient,
                    new double[] {Vectors.sum(squares, n)},
                    withLoss ? Vectors.sum(values, n) : Double.NaN,
                    n,
                    0);
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

        /** a is 0 at first: all scores are, or c is at its largest. */
        @Override
        public double[] startDuals() {
            return new double[1];
        }

        /** The report is mean v^2, from which the best a follows. */
        @Override
        public double[] nextDuals(double[] duals, double[] reports, double step) {
            return new double[] {Math.sqrt(factor * Math.max(0, reports[0]))};
        }
    }
}
