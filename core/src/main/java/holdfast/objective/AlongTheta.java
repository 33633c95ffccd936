package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Scratch;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;

/** A maximiser for linear models, which moves rows along theta only: z = x + s theta. */
public interface AlongTheta extends InnerMaximiser {
    /** The model whose loss is maximised. */
    LinearModel model();

    /** Whether a row's move does not depend on the other rows, so that rows may be processed a few at a time. */
    boolean rowByRow(Effort effort);

    /**
     * Puts the moves of rows into s.
     *
     * @param along x_j . theta
     * @return a bound on ||z_j - z_j*|| for all of them
     */
    double moves(Line line, double[] along, double[] labels, Effort effort, double[] s, int rows, Scratch scratch);

    /**
     * What the moves need to know about theta.
     *
     * @param squared n = ||theta||^2, of the features
     * @param intercept 0 if there is none
     * @param zz L_zz
     */
    record Line(double squared, double intercept, double zz) {
        static Line of(LinearModel model, double[] theta, int features) {
            return new Line(
                    Vectors.dot(theta, theta, features),
                    model.hasIntercept() ? theta[features] : 0,
                    model.smoothness(theta, features, 0, 0).zz());
        }

        double length() {
            return Math.sqrt(squared);
        }
    }

    @Override
    default WorstCase maximise(double[] theta, Block block, Effort effort) {
        int rows = block.rows();
        Line line = Line.of(model(), theta, block.columns());
        double[] along = new double[rows];
        block.times(theta, along);
        double[] s = new double[rows];
        double precision = moves(line, along, block.labels(), effort, s, rows, new Scratch());
        double[] costs = new double[rows];
        for (int j = 0; j < rows; j++) {
            costs[j] = s[j] * s[j] * line.squared() / 2;
        }
        return new WorstCase(new MovedBlock(block, s, theta, along), costs, precision);
    }
}
