/**
 * The paper's constants, bounds and breakpoints as functions, with corrections found by derivation and experiment.
 *
 * <p>In the order in which the paper builds on them:
 *
 * <ul>
 *   <li>Theorem 1: {@link holdfast.theory.ScreeningBound}; {@link holdfast.theory.ClippingBound} for the rule that clips
 *       instead of dropping; {@link holdfast.theory.ErrorBound} for any rule.
 *   <li>Lemma 1: {@link holdfast.theory.RobustSurrogate}, how smooth the robust objective is. Section VI.D:
 *       {@link holdfast.theory.AscentRate}, how many ascent steps a precision needs.
 *   <li>Lemma 2: {@link holdfast.theory.RoundError}, how far the direction of a round is from the gradient.
 *   <li>Theorems 2, 3 and 4: {@link holdfast.theory.NonconvexRate}, {@link holdfast.theory.ConvexRate} and
 *       {@link holdfast.theory.StronglyConvexRate}.
 * </ul>
 *
 * <p>Every rule says what is proven about it as a {@link holdfast.theory.Proof}, which the guarantee of a run and the red
 * team's breakpoints show, and how far liars can move it as a {@link holdfast.theory.Robustness}.
 */
package holdfast.theory;
