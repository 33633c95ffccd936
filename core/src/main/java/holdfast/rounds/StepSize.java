package holdfast.rounds;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;

/** How long the server's steps are, before its schedule: eta. */
public sealed interface StepSize {
    /** The state before the first round. */
    Current START = new Current(Double.NaN, Double.NaN, Double.NaN);

    /**
     * The step size of a round and what the next one depends on.
     *
     * @param size eta, the length of the step relative to that of the direction; NaN before the first round
     * @param objective at the parameters that the round started from; NaN before it was known
     * @param growth the factor by which the step is lengthened while the objective falls; NaN if that does not decide
     * @param flattest one over the smallest curvature met lately; NaN if it is not known
     * @param gap an estimate of how far the objective is above its minimum; NaN if it is not known
     */
    record Current(double size, double objective, double growth, double flattest, double gap) {
        /** The state of steps that do not depend on curvature. */
        public Current(double size, double objective, double growth) {
            this(size, objective, growth, Double.NaN, Double.NaN);
        }

        Current withSize(double other) {
            return new Current(other, objective, growth, flattest, gap);
        }

        Current withGap(double other) {
            return new Current(size, objective, growth, flattest, other);
        }
    }

    /**
     * How the direction changed from the last round to this one, by the last step s.
     *
     * @param moved ||s||^2
     * @param along s^T y, for the change y of the direction
     * @param squared ||y||^2
     * @param direction ||G||^2, for this round's direction G
     */
    record Change(double moved, double along, double squared, double direction) {
        /** Nothing is known, as in the first round. */
        static final Change NONE = new Change(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        /**
         * @param size the length of the last step, along {@code before}
         * @param before the direction of the last round; empty if it is not known
         */
        static Change of(double size, double[] before, double[] direction) {
            if (before.length != direction.length) {
                return NONE;
            }
            int n = direction.length;
            double[] change = new double[n];
            Arrays.setAll(change, i -> direction[i] - before[i]);
            return new Change(
                    size * size * Vectors.dot(before, before, n),
                    -size * Vectors.dot(before, change, n),
                    Vectors.dot(change, change, n),
                    Vectors.dot(direction, direction, n));
        }
    }

    /** eta of the first round. */
    double first();

    /**
     * Returns the step size of a round.
     *
     * @param before that of the round before
     * @param objective at the parameters that the round starts from; NaN if nobody asked for it
     * @param change of the direction since then; {@link Change#NONE} unless {@link #remembers}
     */
    Current next(Current before, double objective, Change change);

    /**
     * Whether a round takes back part of the last step, because the objective rose too much, instead of a step of its
     * own: theta becomes what it would be if the last step had had the size that {@link #next} returns.
     */
    default boolean takesBack(Current before, double objective) {
        return false;
    }

    /** Whether the step depends on the direction of the round before. */
    default boolean remembers() {
        return false;
    }

    /** Returns the length of the shortest step if steps turn by the curvature that the last rounds showed; else NaN. */
    default double shortestTurned() {
        return Double.NaN;
    }

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
        public Current next(Current before, double objective, Change change) {
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
            requireSteps(first, lowest, every);
        }

        @Override
        public Current next(Current before, double objective, Change change) {
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

    /**
     * Spectral steps (Barzilai, Borwein 1988): eta = s^T y / ||y||^2 for the last step s and the change y that it made
     * to the direction, which is one over an average of the curvatures along s that favours the large ones. So steps are
     * as long as the objective's shape allows, whatever the units of features, while every step still goes along the
     * direction that the rule returns: what is proven about one round stays true.
     *
     * <p>Steps grow at most tenfold from round to round. If the objective rises, the step is at most a quarter of the
     * last one. If it rises by more than a tenth of its size, the last step was too long, as where a loss is nearly
     * linear and shows almost no curvature: three quarters of it are taken back. Where directions do not show curvature
     * (s^T y &lt;= 0), steps grow by half. Liars that the rule does not drop change the directions within its bound, and
     * the combined objective within the range of the honest; steps never become shorter than {@code lowest}, and those
     * are not taken back.
     *
     * <p>The objective is about ||G||^2 / (2 mu) above its minimum for the smallest curvature mu. One over mu is estimated by
     * the largest ||s||^2 / s^T y, older ones counting less, and is at least {@value #UNSEEN}: where two features are nearly
     * equal, the first steps do not meet the flat direction between them. A direction that is flatter still may be missed.
     *
     * @param first eta of the first round
     * @param lowest the length of the shortest step
     * @param every the number of rounds from one look at the objective to the next, see {@link Adaptive}
     */
    record Spectral(double first, double lowest, int every) implements StepSize {
        private static final double GROWTH = 10;
        private static final double BLIND_GROWTH = 1.5;
        private static final double SHORTER = 0.25;
        private static final double TOO_MUCH = 0.1;
        private static final double FADING = 0.95;
        /** One over the smallest curvature that may have been missed, for features of spread 1 and labels of unit 1. */
        private static final double UNSEEN = 1000;
        /** Keeps the parameters finite where the objective is nearly flat. */
        private static final double LONGEST = 1e6;

        public Spectral {
            requireSteps(first, lowest, every);
        }

        @Override
        public boolean takesBack(Current before, double objective) {
            return objective - before.objective() > TOO_MUCH * Math.abs(before.objective()) && before.size() > lowest;
        }

        @Override
        public Current next(Current before, double objective, Change change) {
            if (Double.isNaN(before.size())) {
                return new Current(first, objective, Double.NaN);
            }
            if (takesBack(before, objective)) {
                return new Current(
                        Math.max(lowest, SHORTER * before.size()),
                        before.objective(),
                        Double.NaN,
                        before.flattest(),
                        Double.NaN);
            }
            double spectral = change.along / change.squared;
            boolean curved = spectral > 0 && spectral < Double.POSITIVE_INFINITY;
            double step = curved
                    ? Math.min(spectral, GROWTH * before.size())
                    : Double.isNaN(change.along) ? before.size() : BLIND_GROWTH * before.size();
            if (objective > before.objective()) {
                step = Math.min(step, SHORTER * before.size());
            }
            double size = Math.max(lowest, Math.min(step, LONGEST * first));
            double flattest = curved
                    ? larger(Math.min(change.moved / change.along, LONGEST * first), FADING * before.flattest())
                    : before.flattest();
            return new Current(
                    size,
                    Double.isNaN(objective) ? before.objective() : objective,
                    Double.NaN,
                    flattest,
                    larger(UNSEEN, larger(flattest, size)) * change.direction / 2);
        }

        private static double larger(double a, double b) {
            return a >= b || Double.isNaN(b) ? a : b;
        }

        @Override
        public boolean remembers() {
            return true;
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

    /**
     * Quasi-Newton steps: H G for the direction G of the rule and the inverse curvature H that the last ten steps showed,
     * as L-BFGS takes them. Where features go together, the objective is steep along some combinations and flat along
     * others; spectral steps then take hundreds of rounds, these a few dozen.
     *
     * <p>The objective stands guard in place of a line search: when it rises, what was remembered is forgotten, and steps are
     * spectral again until directions have shown new curvature; a rise by more than a tenth is taken back. A step is never
     * at nearly right angles to the rule's direction, never more than ten times as long as the last one and never shorter
     * than {@code lowest} times the direction. So liars that the rule does not drop can turn steps, which they cannot do to
     * spectral ones, but only where the objective falls.
     *
     * @param lengths when to take back, the length of steps without memory, and how far the minimum is
     */
    record QuasiNewton(Spectral lengths) implements StepSize {
        @Override
        public double first() {
            return lengths.first();
        }

        @Override
        public Current next(Current before, double objective, Change change) {
            return lengths.next(before, objective, change);
        }

        @Override
        public boolean takesBack(Current before, double objective) {
            return lengths.takesBack(before, objective);
        }

        @Override
        public boolean remembers() {
            return true;
        }

        @Override
        public double shortestTurned() {
            return lengths.lowest();
        }

        @Override
        public boolean canRecover(Current before, double objective) {
            return lengths.canRecover(before, objective);
        }

        @Override
        public boolean asks(int round) {
            return lengths.asks(round);
        }
    }

    private static void requireSteps(double first, double lowest, int every) {
        requireStep(first);
        requireStep(lowest);
        Check.that(lowest <= first, "the shortest step must not be above the first one, got %s and %s", lowest, first);
        Check.that(every >= 1, "steps must change after at least one round, got %d", every);
    }

    private static void requireStep(double size) {
        Check.that(size > 0 && Double.isFinite(size), "the learning rate must be finite and > 0, got %s", size);
    }
}
