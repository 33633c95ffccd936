package holdfast.theory;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * How far f liars among m workers can move a rule's direction G: its kappa, a bound of another form, or why there is
 * none.
 *
 * <p>A rule is (f, kappa)-robust (Allouah, Farhadkhani, Guerraoui, Gupta, Pinot, Stephan 2023) if for every set H of m - f
 * workers, with g the mean of their updates and whatever the others send, ||G - g||^2 &lt;= kappa r^2, r^2 = 1/(m-f) sum
 * over H of ||g_i - g||^2. No rule has a kappa below f/(m-2f). Among fewer than f liars H is any m - f of the honest
 * workers.
 *
 * <p>Most proofs here use this: the mean A of any a of h updates is within sqrt((h-a)/a) r of the mean g of all, because
 * the other h - a have their mean at the distance a/(h-a) ||A - g|| from g, so r^2 &gt;= (a/h + (h-a)/h (a/(h-a))^2) ||A -
 * g||^2 = a/(h-a) ||A - g||^2. The same holds for weights, and along one direction. Missing updates count as lies: with x
 * of them missing, f - x lies among m - x updates do no more than f among m.
 *
 * @param kappa for this f and m, if the rule has one
 * @param errorBound what follows for every target S; empty if nothing does
 * @param formula kappa or the bound in f and m, such as {@code kappa = f/(m-2f)}; or that there is none, and why
 * @param source who proved it, or the class here with the proof
 */
public record Robustness(OptionalDouble kappa, Optional<ErrorBound> errorBound, String formula, String source) {
    /** Makes what is known about an (f, kappa)-robust rule. */
    public static Robustness ofKappa(double kappa, String formula, String source) {
        return new Robustness(
                OptionalDouble.of(kappa), Optional.of(ErrorBound.ofKappa(kappa)), "kappa = " + formula, source);
    }

    /** Makes what is known about a rule with an error bound, but without kappa. */
    public static Robustness ofBound(ErrorBound bound, String formula, String source) {
        return new Robustness(OptionalDouble.empty(), Optional.of(bound), formula, source);
    }

    /** Makes what is known about a rule without an error bound. */
    public static Robustness none(String formula, String source) {
        return new Robustness(OptionalDouble.empty(), Optional.empty(), formula, source);
    }

    /**
     * Returns what is known about the rule after a pre-aggregator; nothing if there is no error bound.
     *
     * @param kappas computes the new kappa from the rule's
     * @param bounds computes the new bound of a rule without kappa
     * @param formula the new kappa in terms of the rule's
     */
    public Robustness after(
            DoubleUnaryOperator kappas, UnaryOperator<ErrorBound> bounds, String formula, String source) {
        if (errorBound.isEmpty()) {
            return none("none known", "");
        }
        return kappa.isPresent()
                ? ofKappa(kappas.applyAsDouble(kappa.getAsDouble()), formula, source)
                : ofBound(bounds.apply(errorBound.get()), "kappa = " + formula, source);
    }

    /** Returns what is known if either this or another holds, with this one's formula. */
    public Robustness or(Robustness other) {
        if (errorBound.isEmpty() || other.errorBound.isEmpty()) {
            return none("none known", "");
        }
        ErrorBound mine = errorBound.get();
        ErrorBound others = other.errorBound.get();
        return new Robustness(
                kappa.isPresent() && other.kappa.isPresent()
                        ? OptionalDouble.of(Math.max(kappa.getAsDouble(), other.kappa.getAsDouble()))
                        : OptionalDouble.empty(),
                Optional.of(new ErrorBound(
                        Math.max(mine.influence(), others.influence()), Math.max(mine.spread(), others.spread()))),
                formula,
                source);
    }
}
