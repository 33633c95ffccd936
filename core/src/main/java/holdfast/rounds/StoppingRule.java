package holdfast.rounds;

import holdfast.Check;

/** Decides when a run ends before its maximum number of rounds, from the objective in the rounds that check it. */
public sealed interface StoppingRule {
    /** Runs every round and uses the objective only for information, for experiments that want to see a collapse. */
    StoppingRule NEVER = new FixedRounds();

    /** The number of rounds from one check of the objective to the next. */
    int checkEvery();

    /** Whether an objective that grows many times over ends the run as diverged. */
    default boolean endsGrowth() {
        return true;
    }

    /** Whether the workers are asked for the objective in this round. */
    default boolean checks(int round) {
        return round % checkEvery() == 0;
    }

    /**
     * Returns the best parameters so far, including those of a check.
     *
     * @param checked has NaN as its objective if no worker could report one
     * @param rise by how much the workers' losses rose from the best so far to this check, see {@link Reports#rise}; NaN
     *     if that is unknown
     */
    default TrainingState.Best best(TrainingState.Best before, TrainingState.Best checked, double rise) {
        return before;
    }

    /** Whether a worker may report NaN as its loss: it has no rows to find it on. */
    default boolean mayAbstain() {
        return false;
    }

    /**
     * Whether the run ends with the round that starts from this state.
     *
     * @param objective at that state; NaN in a round without a check
     * @param dualGap how far the objective's own variables leave it above its minimum, see {@link
     *     holdfast.objective.Objective#dualGap}
     * @param best so far, this check included
     */
    boolean settles(TrainingState state, double objective, double dualGap, TrainingState.Best best);

    /**
     * Whether the run ends because its objective is as close to the minimum as asked for, as far as its gradient shows.
     *
     * @param firstObjective where the run began
     */
    default boolean isReached(StepSize.Current step, double firstObjective) {
        return false;
    }

    /** Never ends a run early. */
    record FixedRounds() implements StoppingRule {
        @Override
        public int checkEvery() {
            return 100;
        }

        @Override
        public boolean endsGrowth() {
            return false;
        }

        @Override
        public boolean settles(TrainingState state, double objective, double dualGap, TrainingState.Best best) {
            return false;
        }
    }

    /**
     * Ends a run that has converged, where the gradient shows how far F is above its minimum: gap &lt;= share max(|F|,
     * |F_0|/10), since a minimum of 0, as for rows that can be told apart without error, is never near in its own units.
     * Also ends a run whose objective no longer changes: |F_last - F| &lt;= share |F_last| from one check to the next, and
     * the objective's own variables gain no more than that.
     *
     * @param share of the objective
     */
    record Tolerance(double share) implements StoppingRule {
        private static final double MIN_SHARE_OF_FIRST = 0.1;

        public Tolerance {
            Check.that(share > 0 && Double.isFinite(share), "--tolerance must be finite and > 0, got %s", share);
        }

        @Override
        public int checkEvery() {
            return 10;
        }

        @Override
        public boolean settles(TrainingState state, double objective, double dualGap, TrainingState.Best best) {
            double enough = share * Math.abs(state.lastObjective());
            return Math.abs(state.lastObjective() - objective) <= enough && dualGap <= enough;
        }

        @Override
        public boolean isReached(StepSize.Current step, double firstObjective) {
            return step.gap()
                    <= share * Math.max(Math.abs(step.objective()), MIN_SHARE_OF_FIRST * Math.abs(firstObjective));
        }
    }

    /**
     * Ends a run whose losses on validation rows have not fallen below those of the best check for some checks. The result
     * of the run is then the best parameters that were checked.
     *
     * <p>f liars cannot choose the round: a check at which every honest worker's loss is below its loss at the best check
     * becomes the best, and one at which none is does not. So they can neither end a run while all honest losses fall nor
     * keep it going once none does.
     *
     * @param checks the number of checks without a new best
     */
    record Patience(int checks) implements StoppingRule {
        public Patience {
            Check.that(checks >= 1, "--patience must be at least 1, got %d", checks);
        }

        @Override
        public int checkEvery() {
            return 10;
        }

        /** Keeps the earlier of equals. Compares objectives if the losses of the best check are unknown. */
        @Override
        public TrainingState.Best best(TrainingState.Best before, TrainingState.Best checked, double rise) {
            boolean better = Double.isNaN(rise)
                    ? !Double.isNaN(checked.objective()) && !(checked.objective() >= before.objective())
                    : rise < 0;
            return better ? checked : before;
        }

        @Override
        public boolean mayAbstain() {
            return true;
        }

        @Override
        public boolean settles(TrainingState state, double objective, double dualGap, TrainingState.Best best) {
            return checks(state.round()) && (state.round() - best.round()) / checkEvery() >= checks;
        }
    }
}
