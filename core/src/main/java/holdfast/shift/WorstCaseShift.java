package holdfast.shift;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Moves each row within ||z - x||_p &lt;= budget so that its loss grows most. With one score u = theta . x that is
 * exact: the margin falls by budget times the dual norm of theta's features, max |theta_i| for p = 1 (only the most
 * influential feature moves), ||theta||_2 for p = 2 and sum |theta_i| for p = infinity. With a score for each class it
 * is exact for the error: the row goes to the class c with the least remaining margin (u_y - u_c) - budget ||w_y -
 * w_c||_dual, and is misclassified if any row in the ball is. For other models the worst case is searched
 * ({@code ProjectedAscent}): the result is a lower bound of it, and its name says so. Budgets are in units of the scaled
 * features.
 */
public record WorstCaseShift(Norm norm, double budget) implements Shift {
    /** The p of the ball. */
    public enum Norm {
        L1,
        L2,
        LINF;

        /** argmax of theta . v over ||v||_p = 1, for the first d elements of theta. */
        double[] steepest(double[] theta, int d) {
            double[] v = new double[d];
            switch (this) {
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
    }

    public WorstCaseShift {
        Check.that(budget >= 0 && Double.isFinite(budget), "budget must be finite and >= 0, got %s", budget);
    }

    @Override
    public Block apply(Model model, double[] theta, Block block) {
        if (!(model instanceof LinearScores linear)) {
            return new ProjectedAscent(norm, budget).apply(model, theta, block);
        }
        return model.scoresPerRow() == 1 ? alongTheta(linear, theta, block) : toNextClass(linear, theta, block);
    }

    private Block alongTheta(LinearScores model, double[] theta, Block block) {
        double[] direction = norm.steepest(theta, block.columns());
        double reach = budget * Vectors.dot(theta, direction, block.columns());
        double[] u = new double[block.rows()];
        model.scores(theta, block, u);
        double[] moves = new double[block.rows()];
        for (int j = 0; j < moves.length; j++) {
            moves[j] = budget * model.worseSide(u[j], block.labels()[j], reach);
        }
        return new MovedBlock(block, moves, direction, null);
    }

    /** Moves rows along one direction for each pair of a row's class and the class it moves to. */
    private Block toNextClass(LinearScores model, double[] theta, Block block) {
        int k = model.scoresPerRow();
        int d = block.columns();
        double[] u = new double[block.rows() * k];
        model.scores(theta, block, u);
        double[][][] directions = new double[k][k][];
        double[][] fall = new double[k][k];
        for (int y = 0; y < k; y++) {
            for (int c = 0; c < k; c++) {
                double[] gap = model.weights(theta, d, c);
                Vectors.addScaled(gap, -1, model.weights(theta, d, y), d);
                directions[y][c] = norm.steepest(gap, d);
                fall[y][c] = budget * Vectors.dot(gap, directions[y][c], d);
            }
        }
        double[][][] moves = new double[k][k][];
        List<double[]> lengths = new ArrayList<>();
        List<double[]> along = new ArrayList<>();
        for (int j = 0; j < block.rows(); j++) {
            int y = (int) block.labels()[j];
            int next = y == 0 ? 1 : 0;
            for (int c = 0; c < k; c++) {
                if (c != y && u[j * k + c] + fall[y][c] > u[j * k + next] + fall[y][next]) {
                    next = c;
                }
            }
            if (moves[y][next] == null) {
                moves[y][next] = new double[block.rows()];
                lengths.add(moves[y][next]);
                along.add(directions[y][next]);
            }
            moves[y][next][j] = budget;
        }
        return new MovedBlock(block, joined(lengths), joined(along), null);
    }

    private static double[] joined(List<double[]> arrays) {
        return arrays.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    @Override
    public boolean adversarial() {
        return true;
    }

    @Override
    public String name() {
        return ball() + " " + budget;
    }

    /** Says so where the worst case is searched and not exact. */
    @Override
    public String name(Model model) {
        return model instanceof LinearScores ? name() : name() + ", lower bound";
    }

    private String ball() {
        return norm.name().toLowerCase(Locale.ROOT);
    }
}
