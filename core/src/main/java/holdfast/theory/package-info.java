/** The paper's constants, bounds and breakpoints as functions, with the corrections that derivation and trial showed. */
package holdfast.theory;
