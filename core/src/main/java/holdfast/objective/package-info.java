/**
 * The worst case of a row: phi_lambda(theta; x) = sup over z of f(theta; z) - lambda c(z, x), with the transport cost
 * c(z, x) = ||z - x||^2 / 2. Labels and intercept do not move.
 *
 * <p>The gradient of phi in theta is that of f at the maximising z (the paper, eq. 4), so a
 * {@link holdfast.objective.InnerMaximiser} turns a block into a moved block, and the model's own gradient does the
 * rest: {@link holdfast.objective.RobustLoss}. lambda = infinity is plain training.
 *
 * <p>Maximisers: {@link holdfast.objective.GradientAscent}, the paper's, for any model;
 * {@link holdfast.objective.ScalarRecurrence}, the same iterates for linear models: they all lie on x + s theta, and
 * {@code s <- s + eta (l'(u + s n) - lambda s)}, n = ||theta||^2, is the ascent itself for O(d + T) instead of O(d T);
 * {@link holdfast.objective.SubspaceRecurrence}, the same for softmax, in the space that the weights of the classes span; and
 * {@link holdfast.objective.ExactMaximiser}, for linear models the global maximum by a one-dimensional search. Poisson
 * regression has a worst case only for rows that stay in a {@link holdfast.objective.Box}:
 * {@link holdfast.objective.BoxMaximiser}.
 */
package holdfast.objective;
