/**
 * The paper's constants, bounds and breakpoints as functions, with the corrections that derivation and trial showed:
 * {@link holdfast.theory.RobustSurrogate} for the robust loss, {@link holdfast.theory.ScreeningBound} and
 * {@link holdfast.theory.ClippingBound} for the rules, {@link holdfast.theory.ProvenBreakpoint} for what is proven of the
 * rivals. The guarantee of a run and the red team's breakpoints call them.
 */
package holdfast.theory;
