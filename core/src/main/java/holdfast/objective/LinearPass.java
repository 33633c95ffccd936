package holdfast.objective;

import holdfast.data.Block;
import holdfast.math.Scratch;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import java.util.List;

/**
 * The gradients of a linear model on blocks moved along v = A^-1 theta, or left where they are: sum r_j x_j + (sum r_j
 * s_j) v with r_j = w_j l'(u_j + s_j n), n = theta . v. Each part of a block is read from memory once, for scores, moves and
 * gradient. The result equals that of {@link Model#addGradient} on the moved rows, to the bit. Where categories change as a whole, the rows of
 * a part in which some do are read once more. Scratch arrays are
 * reused from block to block, so use it from one thread only.
 */
final class LinearPass {
    private final LinearModel model;
    private final AlongTheta maximiser;
    /** Changes categories before rows move; null if none change. */
    private final MixedMaximiser mixed;

    private final double[] theta;
    private final Effort effort;
    private final int features;
    private final AlongTheta.Line line;
    private final Scratch scratch = new Scratch();
    private double[] u = new double[0];
    private double[] r;
    private double[] s;
    private double[] slopes;
    private double[] moves;

    /** @param asked null if rows do not move */
    private LinearPass(LinearModel model, InnerMaximiser asked, double[] theta, Effort effort, int features) {
        this.model = model;
        this.mixed = asked instanceof MixedMaximiser categories ? categories : null;
        this.maximiser = mixed != null ? mixed.rest() : (AlongTheta) asked;
        this.theta = theta;
        this.effort = effort;
        this.features = features;
        this.line = AlongTheta.Line.of(model, maximiser == null ? WeightedL2.EQUAL : maximiser.cost(), theta, features);
    }

    /** Returns the pass for a model and a maximiser; null if they need the general way. */
    static LinearPass of(Model model, InnerMaximiser maximiser, double[] theta, Effort effort, int features) {
        boolean stay = maximiser.lambda() == Double.POSITIVE_INFINITY;
        boolean along = maximiser instanceof AlongTheta || maximiser instanceof MixedMaximiser;
        return model instanceof LinearModel linear && (stay || along)
                ? new LinearPass(linear, stay ? null : maximiser, theta, effort, features)
                : null;
    }

    ShardSums over(Block block) {
        int rows = block.rows();
        if (u.length < rows) {
            u = new double[rows];
            r = new double[rows];
            s = new double[rows];
            slopes = new double[rows];
            moves = new double[rows];
        }
        double[] gradient = new double[theta.length];
        double precision = 0;
        int done = 0;
        for (Block part : maximiser == null || maximiser.rowByRow(effort) ? block.parts() : List.of(block)) {
            precision = Math.max(precision, add(part, gradient));
            System.arraycopy(r, 0, slopes, done, part.rows());
            System.arraycopy(s, 0, moves, done, part.rows());
            done += part.rows();
        }
        if (maximiser != null) {
            Vectors.addScaled(gradient, Vectors.dot(slopes, moves, rows), line.direction(), features);
        }
        if (model.hasIntercept()) {
            gradient[features] += Vectors.sum(slopes, rows);
        }
        return new ShardSums(gradient, Double.NaN, rows, precision);
    }

    /** gradient += sum r_j x_j; r and s are those of the part. */
    private double add(Block given, double[] gradient) {
        int rows = given.rows();
        given.times(theta, u);
        Block part =
                mixed == null ? given : mixed.changed(theta, line, given, u).block();
        if (part != given) {
            part.times(theta, u);
        }
        double precision = 0;
        if (maximiser != null) {
            precision = maximiser.moves(line, u, part.labels(), effort, s, rows, scratch);
            Vectors.addScaled(u, line.squared(), s, rows);
        }
        if (model.hasIntercept()) {
            double b = line.intercept();
            for (int j = 0; j < rows; j++) {
                u[j] += b;
            }
        }
        model.slopes(u, part.labels(), r, rows);
        double[] weights = part.weights();
        for (int j = 0; weights != null && j < rows; j++) {
            r[j] *= weights[j];
        }
        part.addTransposed(r, gradient);
        return precision;
    }
}
