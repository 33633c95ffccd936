/**
 * What is learnt: f(theta; x, y) as loss, gradient in theta and gradient in x, on blocks of rows.
 *
 * <p>A {@link holdfast.model.Model} is pure: theta goes in, sums come out. {@link holdfast.model.LinearModel}s see their
 * data through u = theta . x + intercept alone, which is what makes their worst case a one-dimensional problem (see
 * {@link holdfast.objective}); {@link holdfast.model.SoftmaxRegression} sees them through one such score per class. theta
 * holds all weights, then the intercepts if there are any, which are never perturbed and never penalised. A
 * {@link holdfast.model.Target} is the kind of label that a model predicts; {@link holdfast.model.Models} has their names.
 */
package holdfast.model;
