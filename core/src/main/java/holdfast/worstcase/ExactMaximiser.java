package holdfast.worstcase;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;

/**
 * The global maximiser for linear models, also where lambda &lt;= L_zz and the problem is not concave: the best move lies
 * along theta (any other is as dear and does less), so one unknown per row remains, see {@link LinearModel#worstMove}.
 */
public record ExactMaximiser(LinearModel model, double lambda) implements InnerMaximiser {
    public ExactMaximiser {
        Check.that(lambda > 0 && Double.isFinite(lambda), "lambda must be finite and > 0, got %s", lambda);
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int rows = block.rows();
        int d = block.columns();
        double n = Vectors.dot(theta, theta, d);
        double[] along = new double[rows];
        block.times(theta, along);
        double b = model.hasIntercept() ? theta[d] : 0;
        double[] s = new double[rows];
        double widest = 0;
        for (int j = 0; j < rows; j++) {
            LinearModel.Move move = model.worstMove(along[j] + b, block.labels()[j], n, lambda);
            s[j] = move.length();
            widest = Math.max(widest, move.bracket());
        }
        return new WorstCase(
                new MovedBlock(block, s, theta, along), ScalarRecurrence.costs(s, n), widest * Math.sqrt(n));
    }
}
