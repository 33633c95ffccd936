/**
 * What is learnt: f(theta; x, y) as loss, gradient in theta and gradient in x, on blocks of rows.
 *
 * <p>A {@link holdfast.model.Model} is pure: theta goes in, sums come out. {@link holdfast.model.LinearModel}s see their
 * data through u = theta . x + intercept alone, which is what makes their worst case a one-dimensional problem (see
 * {@link holdfast.worstcase}). The intercept, if there is one, is the last element of theta; it is never perturbed and
 * never penalised.
 */
package holdfast.model;
