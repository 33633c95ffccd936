package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.MovedBlock;
import holdfast.math.Scratch;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;

/**
 * A maximiser for linear models, which moves rows along one direction only: z = x + s v, v = A^-1 theta for a
 * {@link WeightedL2} with the prices A; v = theta where all are 1.
 */
public interface AlongTheta extends InnerMaximiser {
    /** The model whose loss is maximised. */
    LinearModel model();

    /** What moves cost. */
    default WeightedL2 cost() {
        return WeightedL2.EQUAL;
    }

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
     * @param direction v = A^-1 theta of the features; anything after them is not read
     * @param squared n = theta . v, of the features
     * @param intercept 0 if there is none
     * @param zz L_zz in the norm of the cost
     * @param least the smallest price
     */
    record Line(double[] direction, double squared, double intercept, double zz, double least) {
        /** Finds it for a model under a cost. */
        public static Line of(LinearModel model, WeightedL2 cost, double[] theta, int features) {
            cost.requireFits(features);
            double[] direction = cost.equals(WeightedL2.EQUAL) ? theta : cost.along(theta, 0, features);
            return new Line(
                    direction,
                    Vectors.dot(theta, direction, features),
                    model.hasIntercept() ? theta[features] : 0,
                    cost.zz(model, theta, features, 0, 0),
                    cost.least());
        }

        /** Bounds ||v||, by sqrt(n) in the norm of the cost. */
        double length() {
            return Math.sqrt(squared / least);
        }
    }

    @Override
    default WorstCase maximise(double[] theta, Block block, Effort effort) {
        int rows = block.rows();
        Line line = Line.of(model(), cost(), theta, block.columns());
        double[] along = new double[rows];
        block.times(theta, along);
        double[] s = new double[rows];
        double precision = moves(line, along, block.labels(), effort, s, rows, new Scratch());
        double[] costs = new double[rows];
        for (int j = 0; j < rows; j++) {
            costs[j] = s[j] * s[j] * line.squared() / 2;
        }
        return new WorstCase(new MovedBlock(block, s, line.direction(), theta, along), costs, precision);
    }
}
