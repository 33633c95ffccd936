package holdfast.shift;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import java.util.Locale;

/**
 * Each row moves within ||z - x||_p &lt;= budget so that its loss grows most. For a linear model that is exact: the margin
 * falls by budget times the dual norm of theta's features, max |theta_i| for p = 1 (only the most influential feature
 * moves), ||theta||_2 for p = 2 and sum |theta_i| for p = infinity. Budgets are in units of the scaled features.
 */
public record WorstCaseShift(Norm norm, double budget) implements Shift {
    /** The p of the ball. */
    public enum Norm {
        L1,
        L2,
        LINF
    }

    public WorstCaseShift {
        Check.that(budget >= 0 && Double.isFinite(budget), "budget must be finite and >= 0, got %s", budget);
    }

    @Override
    public Block apply(Model model, double[] theta, Block block) {
        Check.that(model instanceof LinearModel, "the worst-case shift is exact for linear models only");
        LinearModel linear = (LinearModel) model;
        double[] direction = steepest(theta, block.columns());
        double reach = budget * Vectors.dot(theta, direction, block.columns());
        double[] u = new double[block.rows()];
        linear.scores(theta, block, u);
        double[] moves = new double[block.rows()];
        for (int j = 0; j < moves.length; j++) {
            moves[j] = budget * linear.worseSide(u[j], block.labels()[j], reach);
        }
        return new MovedBlock(block, moves, direction, null);
    }

    /** argmax of theta . v over ||v||_p = 1. */
    private double[] steepest(double[] theta, int d) {
        double[] v = new double[d];
        switch (norm) {
            case L1 -> {
                int largest = 0;
                for (int i = 1; i < d; i++) {
                    if (Math.abs(theta[i]) > Math.abs(theta[largest])) {
                        largest = i;
                    }
                }
                v[largest] = Math.signum(theta[largest]);
            }
            case L2 -> {
                double length = Vectors.norm(theta, d);
                for (int i = 0; i < d && length > 0; i++) {
                    v[i] = theta[i] / length;
                }
            }
            case LINF -> {
                for (int i = 0; i < d; i++) {
                    v[i] = Math.signum(theta[i]);
                }
            }
        }
        return v;
    }

    @Override
    public String name() {
        return norm.name().toLowerCase(Locale.ROOT) + " " + budget;
    }
}
