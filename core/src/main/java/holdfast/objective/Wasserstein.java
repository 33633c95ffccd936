package holdfast.objective;

import holdfast.Check;
import holdfast.model.Model;
import java.util.Locale;
import java.util.Optional;

/**
 * The paper's objective, distributionally robust in Wasserstein distance: each row counts by its worst case,
 * phi_lambda(theta; x) = sup over z of f(theta; z) - lambda c(z, x). This record holds its settings.
 * {@code new Wasserstein(8)} sets only the price; {@link #on} makes the objective for a model.
 *
 * @param lambda the price of moving a row; empty: rows do not move, plain training
 * @param cost c
 * @param maximisation how the worst case is found
 * @param effort how far an iterative maximiser goes; empty: exactly, or to a precision of {@value #DEFAULT_PRECISION}
 *     where there is no exact maximiser, or {@value #DEFAULT_STEPS} steps for a model that is not convex in its rows
 * @param ascentRate the size eta_z of an ascent step; empty: automatic
 * @param firstStage less effort in the first rounds; empty: the same in all rounds
 * @param box where rows may move to; empty: anywhere, or, if the model needs a box, in one made from the data before
 *     use
 */
public record Wasserstein(
        Optional<Double> lambda,
        TransportCost cost,
        Maximisation maximisation,
        Optional<Effort> effort,
        Optional<Double> ascentRate,
        Optional<FirstStage> firstStage,
        Optional<Box> box)
        implements ObjectiveFamily {
    /** The precision of iterative maximisers that are given none. */
    static final double DEFAULT_PRECISION = 1e-4;

    /** The steps of the ascent, if nothing is said, for a model that is not convex in its rows. */
    static final int DEFAULT_STEPS = 10;

    /** How the worst case is found; {@code Maximisers} chooses the maximiser for a model. */
    public enum Maximisation {
        /** Exactly if that is possible and neither steps nor a precision are given, else by ascent. */
        AUTO,
        /** The global maximum. */
        EXACT,
        /** The iterates of the ascent, computed in the few dimensions that they span. */
        RECURRENCE,
        /** The paper's gradient ascent on the rows themselves. */
        ASCENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Wasserstein {
        requirePositive("--lambda", lambda);
        requirePositive("--ascent-rate", ascentRate);
        Class<?> second = effort.map(Object::getClass).orElse(null);
        Check.that(
                firstStage.isEmpty() || firstStage.get().effort().getClass() == second,
                "--early-precision needs --precision, and --early-steps needs --ascent-steps: those of the later rounds");
        Check.that(
                firstStage.isEmpty() || lambda.isPresent() && maximisation != Maximisation.EXACT,
                "a first stage (--early-steps, --early-precision) needs worst cases that are found by ascent: --lambda above 0"
                        + " and no --maximiser exact");
        firstStage.ifPresent(stage -> stage.effort().requireLessThan(effort.orElseThrow()));
    }

    private static void requirePositive(String setting, Optional<Double> value) {
        double given = value.orElse(1.0);
        Check.that(given > 0 && Double.isFinite(given), "%s must be finite and > 0, got %s", setting, given);
    }

    /** The paper's cost at this price, everything else automatic. */
    public Wasserstein(double lambda) {
        this(Optional.of(lambda));
    }

    private Wasserstein(Optional<Double> lambda) {
        this(
                lambda,
                new SquaredL2(),
                Maximisation.AUTO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Plain training: rows stay where they are, lambda is infinite. */
    public static Wasserstein none() {
        return new Wasserstein(Optional.empty());
    }

    /** The same choices at another price. */
    public Wasserstein withLambda(double price) {
        return new Wasserstein(Optional.of(price), cost, maximisation, effort, ascentRate, firstStage, box);
    }

    public Wasserstein withCost(TransportCost other) {
        return new Wasserstein(lambda, other, maximisation, effort, ascentRate, firstStage, box);
    }

    public Wasserstein withMaximisation(Maximisation other) {
        return new Wasserstein(lambda, cost, other, effort, ascentRate, firstStage, box);
    }

    /** A fixed number T_z of ascent steps. */
    public Wasserstein withAscentSteps(int count) {
        return withEffort(new Effort.Steps(count));
    }

    /** Ascends until ||z - z*|| is certainly at most epsilon. */
    public Wasserstein withPrecision(double epsilon) {
        return withEffort(new Effort.Precision(epsilon));
    }

    private Wasserstein withEffort(Effort other) {
        return new Wasserstein(lambda, cost, maximisation, Optional.of(other), ascentRate, firstStage, box);
    }

    public Wasserstein withAscentRate(double rate) {
        return new Wasserstein(lambda, cost, maximisation, effort, Optional.of(rate), firstStage, box);
    }

    /** The paper's two-stage strategy: less effort in the first rounds. The effort of the later ones comes first. */
    public Wasserstein withFirstStage(FirstStage stage) {
        return new Wasserstein(lambda, cost, maximisation, effort, ascentRate, Optional.of(stage), box);
    }

    public Wasserstein withBox(Box other) {
        return new Wasserstein(lambda, cost, maximisation, effort, ascentRate, firstStage, Optional.of(other));
    }

    @Override
    public RobustLoss on(Model model, double l2) {
        return new RobustLoss(model, Maximisers.of(this, model), schedule(model), l2);
    }

    @Override
    public boolean movesRows() {
        return lambda.isPresent();
    }

    @Override
    public Box boxFor(Model model) {
        boolean needed = model.needsBox() && lambda.isPresent();
        Check.that(
                !needed || box.isEmpty() || box.get().bounded(),
                "model %s needs --box or --lambda none: without a box its worst case is infinite for every lambda",
                model.name());
        Check.that(!needed || box.isPresent(), "--box auto must be made a number from the data before it is used");
        return box.orElse(Box.NONE);
    }

    /** Whether the effort of an iterative maximiser is given. */
    boolean iterates() {
        return effort.isPresent();
    }

    /** Where nothing makes an ascent converge, a precision could take forever, and steps are counted instead. */
    private Effort.Schedule schedule(Model model) {
        Effort late = effort.orElse(
                model.convexInRows() ? new Effort.Precision(DEFAULT_PRECISION) : new Effort.Steps(DEFAULT_STEPS));
        return firstStage.map(stage -> Effort.twoStage(stage.effort(), late)).orElse(Effort.always(late));
    }
}
