package holdfast.theory;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How far f liars among m workers can move a rule's direction G: its kappa, a bound of another form, or why there is
 * none.
 *
 * <p>A rule is (f, kappa)-robust (Allouah, Farhadkhani, Guerraoui, Gupta, Pinot, Stephan 2023) if for every set H of m - f
 * workers, with g the mean of their updates and whatever the others send, ||G - g||^2 &lt;= kappa r^2, r^2 = 1/(m-f) sum
 * over H of ||g_i - g||^2. No rule has a kappa below f/(m-2f). Among fewer than f liars H is any m - f of the honest
 * workers.
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
}
