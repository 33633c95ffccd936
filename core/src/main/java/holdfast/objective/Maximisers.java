package holdfast.objective;

import holdfast.Check;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.objective.Wasserstein.Maximisation;

/**
 * Decides which maximiser serves a model under a cost. {@link GradientAscent} serves every model and every cost. The
 * fast ones are for {@link SquaredL2} and {@link WeightedL2}, under which rows move in a space that has as many dimensions as the model has scores:
 *
 * <ul>
 *   <li>{@link LinearModel}: {@link ExactMaximiser}, or {@link ScalarRecurrence} if steps or a precision are given;
 *   <li>{@link PoissonRegression}, in a box: {@link BoxMaximiser}, or the ascent;
 *   <li>{@link SoftmaxRegression}: {@link SubspaceRecurrence}.
 * </ul>
 *
 * <p>A {@link MixedCost} has a {@link MixedMaximiser} for linear models without a box, and none for others.
 */
final class Maximisers {
    private Maximisers() {}

    /** @throws holdfast.InputException if the maximisation asked for does not serve the model under the cost */
    static InnerMaximiser of(Wasserstein how, Model model) {
        if (how.lambda().isEmpty()) {
            return InnerMaximiser.none();
        }
        Maximisation asked = how.maximisation();
        if (how.cost() instanceof MixedCost mixed) {
            return mixed(how, model, mixed);
        }
        WeightedL2 squared = WeightedL2.of(how.cost());
        boolean exact = asked == Maximisation.EXACT || asked == Maximisation.AUTO && !how.iterates();
        Check.that(
                how.iterates() || exact || !(squared != null && model instanceof LinearModel),
                "--maximiser %s needs --ascent-steps or --precision",
                asked);
        Box box = how.boxFor(model);
        double lambda = how.lambda().get();
        double rate = how.ascentRate().orElse(1 / lambda);
        InnerMaximiser ascent = new GradientAscent(model, lambda, how.cost(), how.ascentRate(), box);
        if (asked == Maximisation.ASCENT) {
            return ascent;
        }
        if (squared == null || !(model instanceof LinearModel || model instanceof SoftmaxRegression)) {
            Check.that(
                    asked == Maximisation.AUTO,
                    "--maximiser %s: there is none for model %s under the cost %s; use auto or ascent",
                    asked,
                    model.name(),
                    how.cost().description());
            return ascent;
        }
        Check.that(!box.bounded() || model.needsBox(), "--box needs --maximiser ascent, for every model but poisson");
        if (model instanceof SoftmaxRegression softmax) {
            Check.that(
                    asked != Maximisation.EXACT,
                    "--maximiser exact: softmax has none; auto ascends until --precision is met");
            return new SubspaceRecurrence(softmax, lambda, rate, squared);
        }
        if (box.bounded()) {
            Check.that(
                    asked != Maximisation.RECURRENCE,
                    "--maximiser recurrence does not support --box; use --maximiser exact or ascent");
            return exact && model instanceof PoissonRegression poisson
                    ? new BoxMaximiser(poisson, lambda, box, squared)
                    : ascent;
        }
        LinearModel linear = (LinearModel) model;
        return exact
                ? new ExactMaximiser(linear, lambda, squared)
                : new ScalarRecurrence(linear, lambda, rate, squared);
    }

    private static InnerMaximiser mixed(Wasserstein how, Model model, MixedCost cost) {
        String whole = cost.changes().get(0).column().name();
        Check.that(
                model instanceof LinearModel && !model.needsBox(),
                "--prices: training has no worst case for categories that change as a whole (%s) with model %s; use a model with"
                        + " one linear score and no box: logistic, svm, linear or huber",
                whole,
                model.name());
        Check.that(
                !how.boxFor(model).bounded(),
                "--prices: no worst case in a box is known for categories that change as a whole (%s); leave out --box",
                whole);
        Check.that(
                !how.iterates()
                        && (how.maximisation() == Maximisation.AUTO || how.maximisation() == Maximisation.EXACT),
                "--prices: categories that change as a whole (%s) have an exact worst case and no ascent; leave out"
                        + " --ascent-steps, --precision and --maximiser",
                whole);
        return new MixedMaximiser((LinearModel) model, how.lambda().get(), cost);
    }
}
