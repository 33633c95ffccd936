package holdfast.objective;

import holdfast.math.Scratch;
import holdfast.model.LinearModel;

/**
 * The global maximiser for linear models under {@link WeightedL2}, also where lambda &lt;= L_zz and the problem is not
 * concave: the best move lies along A^-1 theta (any other costs as much and does less), so one unknown per row remains, see
 * {@link LinearModel#worstMove}.
 */
public record ExactMaximiser(LinearModel model, double lambda, WeightedL2 cost) implements AlongTheta {
    public ExactMaximiser {
        Ascent.requirePrice(lambda);
    }

    /** With the paper's cost. */
    public ExactMaximiser(LinearModel model, double lambda) {
        this(model, lambda, WeightedL2.EQUAL);
    }

    @Override
    public boolean rowByRow(Effort effort) {
        return true;
    }

    @Override
    public double moves(
            Line line, double[] along, double[] labels, Effort effort, double[] s, int rows, Scratch scratch) {
        double[] u = scratch.array(0, rows);
        for (int j = 0; j < rows; j++) {
            u[j] = along[j] + line.intercept();
        }
        return model.worstMoves(u, labels, line.squared(), lambda, s, rows, scratch) * line.length();
    }
}
