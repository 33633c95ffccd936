/**
 * The paper's constants, bounds and breakpoints as functions, with corrections found by derivation and experiment:
 * {@link holdfast.theory.RobustSurrogate} for the robust loss, {@link holdfast.theory.ScreeningBound} and
 * {@link holdfast.theory.ClippingBound} for the rules, {@link holdfast.theory.ProvenBreakpoint} for what is proven
 * about the other rules. The guarantee of a run and the red team's breakpoints use them.
 */
package holdfast.theory;
