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
 * @param ascentSteps a fixed number T_z of ascent steps; empty: until the precision is met
 * @param ascentRate the size eta_z of an ascent step; empty: automatic
 * @param precision ascend until ||z - z*|| is certainly at most this; empty: exactly, or to {@value #DEFAULT_PRECISION}
 *     where there is no exact maximiser
 * @param earlyPrecision the precision in the first rounds; empty: the same as later
 * @param earlyRounds how many rounds count as first
 * @param box where rows may move to; empty: anywhere, or, if the model needs a box, in one made from the data before
 *     use
 */
public record Wasserstein(
        Optional<Double> lambda,
        TransportCost cost,
        Maximisation maximisation,
        Optional<Integer> ascentSteps,
        Optional<Double> ascentRate,
        Optional<Double> precision,
        Optional<Double> earlyPrecision,
        int earlyRounds,
        Optional<Box> box)
        implements ObjectiveFamily {
    /** The precision of iterative maximisers that are given none. */
    static final double DEFAULT_PRECISION = 1e-4;

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
        requirePositive("--precision", precision);
        requirePositive("--early-precision", earlyPrecision);
        Check.that(
                ascentSteps.isEmpty() || ascentSteps.get() >= 0,
                "--ascent-steps must be >= 0, got %d",
                ascentSteps.orElse(0));
        Check.that(earlyRounds >= 0, "--early-rounds must be >= 0, got %d", earlyRounds);
        Check.that(ascentSteps.isEmpty() || precision.isEmpty(), "give --ascent-steps or --precision, not both");
        Check.that(
                earlyPrecision.isEmpty() || precision.isPresent(),
                "--early-precision needs --precision, the one of the later rounds");
        Check.that(
                earlyPrecision.isPresent() == (earlyRounds > 0),
                "--early-precision and --early-rounds need each other");
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
                Optional.empty(),
                0,
                Optional.empty());
    }

    /** Plain training: rows stay where they are, lambda is infinite. */
    public static Wasserstein none() {
        return new Wasserstein(Optional.empty());
    }

    public Wasserstein withCost(TransportCost other) {
        return new Wasserstein(
                lambda, other, maximisation, ascentSteps, ascentRate, precision, earlyPrecision, earlyRounds, box);
    }

    public Wasserstein withMaximisation(Maximisation other) {
        return new Wasserstein(
                lambda, cost, other, ascentSteps, ascentRate, precision, earlyPrecision, earlyRounds, box);
    }

    public Wasserstein withAscentSteps(int count) {
        return new Wasserstein(
                lambda,
                cost,
                maximisation,
                Optional.of(count),
                ascentRate,
                precision,
                earlyPrecision,
                earlyRounds,
                box);
    }

    public Wasserstein withAscentRate(double rate) {
        return new Wasserstein(
                lambda,
                cost,
                maximisation,
                ascentSteps,
                Optional.of(rate),
                precision,
                earlyPrecision,
                earlyRounds,
                box);
    }

    public Wasserstein withPrecision(double epsilon) {
        return new Wasserstein(
                lambda,
                cost,
                maximisation,
                ascentSteps,
                ascentRate,
                Optional.of(epsilon),
                earlyPrecision,
                earlyRounds,
                box);
    }

    /** The paper's two-stage strategy: less precision in the first rounds. */
    public Wasserstein withEarlyPrecision(double epsilon, int rounds) {
        return new Wasserstein(
                lambda, cost, maximisation, ascentSteps, ascentRate, precision, Optional.of(epsilon), rounds, box);
    }

    public Wasserstein withBox(Box other) {
        return new Wasserstein(
                lambda,
                cost,
                maximisation,
                ascentSteps,
                ascentRate,
                precision,
                earlyPrecision,
                earlyRounds,
                Optional.of(other));
    }

    @Override
    public RobustLoss on(Model model, double l2) {
        return new RobustLoss(model, Maximisers.of(this, model), effort(), l2);
    }

    /** Where rows may move to when this model is learnt. */
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
        return ascentSteps.isPresent() || precision.isPresent();
    }

    private Effort.Schedule effort() {
        if (ascentSteps.isPresent()) {
            return Effort.always(new Effort.Steps(ascentSteps.get()));
        }
        Effort late = new Effort.Precision(precision.orElse(DEFAULT_PRECISION));
        return earlyPrecision.isEmpty()
                ? Effort.always(late)
                : Effort.twoStage(new Effort.Precision(earlyPrecision.get()), late, earlyRounds);
    }
}
