package holdfast.app.lab.paper;

import holdfast.math.Scratch;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import holdfast.objective.AlongTheta;
import holdfast.objective.Effort;
import holdfast.objective.Objective;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.RobustLoss;

/**
 * The paper's ascent at any rate, also at one of 2/lambda or more, where it diverges and the program refuses it: Figure
 * 3 shows what comes of it. The iterates are those of {@link holdfast.objective.ScalarRecurrence}, {@code s <- s +
 * eta_z (l'(u + s n) - lambda s)}, so beyond 2/lambda each step multiplies s by about 1 - eta_z lambda, below -1.
 *
 * @param lambda the price of moving a row
 * @param rate eta_z
 * @param steps T_z
 */
record UncheckedAscent(double lambda, double rate, int steps) implements ObjectiveFamily {
    @Override
    public Objective on(Model model, double l2) {
        return new RobustLoss(
                model, new Maximiser((LinearModel) model, lambda, rate), Effort.always(new Effort.Steps(steps)), l2);
    }

    /** Moves rows by the effort's number of steps, wherever these lead. */
    record Maximiser(LinearModel model, double lambda, double rate) implements AlongTheta {
        /** From here on |l'| &lt;= 1 is lost when it is added to lambda s. */
        private static final double FAR = 0x1p54;

        @Override
        public boolean rowByRow(Effort effort) {
            return true;
        }

        @Override
        public double moves(
                Line line, double[] along, double[] labels, Effort effort, double[] s, int rows, Scratch scratch) {
            double[] u = scratch.array(0, rows);
            double[] slope = scratch.array(1, rows);
            boolean slopesCount = true;
            for (int j = 0; j < rows; j++) {
                s[j] = 0;
            }
            for (int step = 0; step < ((Effort.Steps) effort).count(); step++) {
                if (slopesCount) {
                    for (int j = 0; j < rows; j++) {
                        u[j] = along[j] + line.intercept() + s[j] * line.squared();
                    }
                    model.slopes(u, labels, slope, rows);
                }
                slopesCount = false;
                for (int j = 0; j < rows; j++) {
                    s[j] += rate * (slope[j] - lambda * s[j]);
                    // A row that does not move at first has no slope and never moves.
                    slopesCount |= s[j] != 0 && Math.abs(lambda * s[j]) < FAR;
                }
            }
            return Double.POSITIVE_INFINITY;
        }
    }
}
