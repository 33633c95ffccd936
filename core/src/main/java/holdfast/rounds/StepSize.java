package holdfast.rounds;

import holdfast.Check;

/** How long the server's steps are, before its schedule: eta. */
public sealed interface StepSize {
    /** The state before the first round. */
    Current START = new Current(Double.NaN, Double.NaN, Double.NaN);

    /**
     * The step size of a round and what the next one depends on.
     *
     * @param size eta; NaN before the first round
     * @param objective at the parameters that the round started from; NaN before it was known
     * @param growth the factor by which the step is lengthened while the objective falls
     */
    record Current(double size, double objective, double growth) {}

    /** eta of the first round. */
    double first();

    /**
     * Returns the step size of a round.
     *
     * @param before that of the round before
     * @param objective at the parameters that the round starts from; NaN if nobody asked for it
     */
    Current next(Current before, double objective);

    /**
     * Returns whether a run whose objective has become large can still come back: its last step was longer than
     * necessary, or the objective is falling again. Never for steps of one size.
     *
     * @param before the step of the round before
     * @param objective at the parameters that this round starts from
     */
    default boolean canRecover(Current before, double objective) {
        return false;
    }

    /** Whether the step of a round depends on the objective, so that workers are asked for it. */
    boolean asks(int round);

    /** Steps of one size. */
    record Fixed(double size) implements StepSize {
        public Fixed {
            requireStep(size);
        }

        @Override
        public double first() {
            return size;
        }

        @Override
        public Current next(Current before, double objective) {
            return new Current(size, Double.NaN, Double.NaN);
        }

        @Override
        public boolean asks(int round) {
            return false;
        }
    }

    /**
     * Steps that become longer while the objective falls and half as long when it rises. If the first step is the shortest
     * allowed, it is known to be short enough, and steps grow by half until the first rise; otherwise, and afterwards, by
     * a tenth. If the objective rises by more than its size, steps are again at most as long as the first. This happens
     * where rows can be told apart without error: the objective flattens towards 0, steps grow a thousandfold, and when
     * one of them leaves the flat part, halving would be too slow.
     *
     * <p>The objective is the one of the {@link RoundRecord}, which liars can only move within the range of the honest.
     * Steps never become shorter than {@code lowest}, so liars cannot stop the run by making every step look too long.
     *
     * @param first eta of the first round
     * @param lowest the length of the shortest step
     * @param every the number of rounds from one change to the next: 1 if workers find the objective on the way to their
     *     updates, more if it takes another pass over their rows
     */
    record Adaptive(double first, double lowest, int every) implements StepSize {
        private static final double FAST = 1.5;
        private static final double SLOW = 1.1;
        private static final double SHORTER = 0.5;
        /** Keeps the parameters finite where the objective is nearly flat. */
        private static final double LONGEST = 1e6;

        public Adaptive {
            requireStep(first);
            requireStep(lowest);
            Check.that(
                    lowest <= first, "the shortest step must not be above the first one, got %s and %s", lowest, first);
            Check.that(every >= 1, "steps must change after at least one round, got %d", every);
        }

        @Override
        public Current next(Current before, double objective) {
            if (Double.isNaN(before.size())) {
                return new Current(first, objective, first == lowest ? FAST : SLOW);
            }
            if (Double.isNaN(objective)) {
                return before;
            }
            if (Double.isNaN(before.objective()) || objective <= before.objective()) {
                return new Current(
                        Math.min(before.size() * before.growth(), LONGEST * first), objective, before.growth());
            }
            boolean doubled = objective - before.objective() > Math.abs(before.objective());
            double shorter = Math.min(before.size() * SHORTER, doubled ? first : Double.POSITIVE_INFINITY);
            return new Current(Math.max(lowest, shorter), objective, SLOW);
        }

        @Override
        public boolean canRecover(Current before, double objective) {
            return before.size() > lowest || objective < before.objective();
        }

        @Override
        public boolean asks(int round) {
            return round % every == 0;
        }
    }

    private static void requireStep(double size) {
        Check.that(size > 0 && Double.isFinite(size), "the learning rate must be finite and > 0, got %s", size);
    }
}
