package holdfast.objective;

import holdfast.math.Scratch;
import holdfast.model.LinearModel;

/**
 * The global maximiser for linear models under {@link SquaredL2}, also where lambda &lt;= L_zz and the problem is not
 * concave: the best move lies along theta (any other costs as much and does less), so one unknown per row remains, see
 * {@link LinearModel#worstMove}.
 */
public record ExactMaximiser(LinearModel model, double lambda) implements AlongTheta {
    public ExactMaximiser {
        Ascent.requirePrice(lambda);
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
