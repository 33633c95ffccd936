package holdfast.rounds;

import holdfast.aggregate.Carry;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;

/**
 * Everything that the next round depends on. A checkpoint is this value; resuming is starting from it.
 *
 * @param round number of rounds done
 * @param theta the parameters after them
 * @param duals the objective's own variables after them, see {@link Objective#startDuals()}; empty if it has none
 * @param velocity v of the server's momentum, or the last direction if the step depends on it; empty otherwise and before
 *     the first round
 * @param momenta m_i of the workers' momentum, worker after worker; empty without it and before the first round
 * @param carry the state that the rule gets back
 * @param firstObjective the objective when it was first asked for, NaN before
 * @param lastObjective the objective when the stopping rule last checked it, NaN before
 * @param step the length of the last step, and what the next one depends on
 * @param best the best of the checks on validation rows so far
 * @param stage how far the first of two stages is, if it ends by itself
 * @param settled whether the stopping rule has ended the run; resuming it then does nothing
 */
public record TrainingState(
        int round,
        double[] theta,
        double[] duals,
        double[] velocity,
        double[] momenta,
        Carry carry,
        double firstObjective,
        double lastObjective,
        StepSize.Current step,
        Best best,
        Stage stage,
        boolean settled) {
    private static final double[] NONE = {};

    public TrainingState {
        duals = duals.clone();
    }

    /** A copy. */
    @Override
    public double[] theta() {
        return theta.clone();
    }

    /** The array itself, for the loop, which does not write into it. */
    public double[] sharedTheta() {
        return theta;
    }

    /** A copy. */
    @Override
    public double[] duals() {
        return duals.clone();
    }

    /** A copy. */
    @Override
    public double[] velocity() {
        return velocity.clone();
    }

    /** A copy. */
    @Override
    public double[] momenta() {
        return momenta.clone();
    }

    /**
     * Parameters and their objective.
     *
     * @param round number of rounds done when they were reached
     * @param objective NaN if there are none yet, or no worker can report one
     * @param losses the loss that each shard reported, NaN if it reported none; empty if unknown
     */
    public record Best(int round, double[] theta, double objective, double[] losses) {
        public static final Best NONE = new Best(0, new double[0], Double.NaN, new double[0]);

        /** A copy. */
        @Override
        public double[] theta() {
            return theta.clone();
        }

        /** A copy. */
        @Override
        public double[] losses() {
            return losses.clone();
        }
    }

    /** The state before round 0, for an objective without variables of its own. */
    public static TrainingState start(double[] theta) {
        return start(theta, NONE);
    }

    /** The state before round 0. */
    public static TrainingState start(double[] theta, double[] duals) {
        return new TrainingState(
                0,
                theta.clone(),
                duals,
                NONE,
                NONE,
                Carry.NONE,
                Double.NaN,
                Double.NaN,
                StepSize.START,
                Best.NONE,
                Stage.START,
                false);
    }

    /** Makes the request to the workers at this state. */
    RoundRequest request(boolean early, boolean withLoss) {
        return new RoundRequest(new Iterate(round, early, theta, duals), withLoss);
    }
}
