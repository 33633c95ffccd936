/**
 * The paper's constants, bounds and breakpoints as functions, with corrections found by derivation and experiment:
 * {@link holdfast.theory.RobustSurrogate} for the robust loss, {@link holdfast.theory.ScreeningBound} and
 * {@link holdfast.theory.ClippingBound} for two rules. Every rule says what is proven about it as a
 * {@link holdfast.theory.Proof}, which the guarantee of a run and the red team's breakpoints show.
 */
package holdfast.theory;
