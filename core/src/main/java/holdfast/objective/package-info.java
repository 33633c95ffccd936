/**
 * What workers minimise.
 *
 * <h2>Objectives</h2>
 *
 * <p>An {@link holdfast.objective.Objective} turns the rows of a shard into a value and a gradient, through
 * {@link holdfast.objective.ShardSums} that merge along the fixed tree of blocks: a shard may be summed in pieces,
 * wherever they are. It may have variables of its own beside theta (the price of a trained radius, the threshold of
 * CVaR): they travel with theta in an {@link holdfast.objective.Iterate}, and their gradients come back beside that of
 * theta. Workers, engines and the search for a learning rate know only this interface. An
 * {@link holdfast.objective.ObjectiveFamily} is an objective without its model.
 *
 * <h2>The paper's objective</h2>
 *
 * <p>{@link holdfast.objective.Wasserstein} holds the choices of distributionally robust training,
 * {@code new Wasserstein(8).on(model, l2)} makes the objective, a {@link holdfast.objective.RobustLoss}: the mean of
 * phi_lambda(theta; x) = sup over z of f(theta; z) - lambda c(z, x), plus a penalty. Labels do not move. Without a
 * lambda rows stay, and it is plain training. The gradient of phi in theta is that of f at the maximising z (the paper,
 * eq. 4), so an {@link holdfast.objective.InnerMaximiser} turns a block into a moved block, and the model's own
 * gradient does the rest.
 *
 * <p>{@link holdfast.objective.WassersteinBall} is given a radius rho instead of the price lambda, and finds lambda together
 * with theta: the paper's problem (1). Its {@link holdfast.objective.BallLoss} has the price among its variables; each round
 * of training raises it where rows move further than the radius allows, and lowers it where they do not use it up.
 *
 * <p>A {@link holdfast.objective.TransportCost} is c: its value, its gradient in z, how convex and how smooth it is.
 * {@link holdfast.objective.SquaredL2}, (1/2)||z - x||^2, is the paper's.
 *
 * <h2>Other ambiguity sets</h2>
 *
 * <p>The others leave rows where they are and act on the plain loss. Each is the least value, over a few variables, of a
 * mean over rows or workers, because roots, quantiles and log-mean-exps do not average over workers and these means do.
 *
 * <ul>
 *   <li>{@link holdfast.objective.ConditionalValueAtRisk}, {@link holdfast.objective.ChiSquareBall} and
 *       {@link holdfast.objective.KullbackLeiblerBall} reweight rows: a {@code Reweighting} says what a row's term is and
 *       how the variables move, a {@code ReweightedLoss} does the rest.
 *   <li>{@link holdfast.objective.WorstSources} reweights workers by their mean losses, up to a cap.
 *   <li>{@link holdfast.objective.MomentSet} allows every distribution with the rows' first moments and bounded second
 *       ones, for models with one linear score.
 * </ul>
 *
 * <p>Their variables move by steps of their own, not by the learning rate: losses may be small or large numbers, and the
 * steps do not depend on their unit.
 *
 * <h2>Maximisers</h2>
 *
 * <p>{@code Maximisers} decides which one serves a model under a cost:
 *
 * <ul>
 *   <li>{@link holdfast.objective.GradientAscent}, the paper's: any model, any cost.
 *   <li>{@link holdfast.objective.ExactMaximiser}: one score, SquaredL2. The global maximum by a one-dimensional
 *       search.
 *   <li>{@link holdfast.objective.ScalarRecurrence}: the iterates of the ascent for one score. They all lie on x +
 *       s theta, and {@code s <- s + eta (l'(u + s n) - lambda s)}, n = ||theta||^2, is the ascent itself for O(d + T)
 *       instead of O(d T).
 *   <li>{@link holdfast.objective.SubspaceRecurrence}: the same for softmax, in the space that the weights of the
 *       classes span.
 *   <li>{@link holdfast.objective.BoxMaximiser}: Poisson regression, whose worst case is finite only for rows that
 *       stay in a {@link holdfast.objective.Box}.
 * </ul>
 *
 * <p>An {@link holdfast.objective.Effort} says how far iterative ones go: a number of steps, or until ||z - z*|| is
 * certainly small. What is certain is part of the answer, a {@link holdfast.objective.WorstCase}.
 *
 * <h2>Adding to it</h2>
 *
 * <p>A cost is one class that implements {@code TransportCost}, and a test that extends {@code TransportCostContract};
 * pass it by {@code new Wasserstein(8).withCost(...)}. A maximiser is one class, one line in {@code Maximisers} and a
 * law that holds it to the ascent. An objective is one class: sums that merge, the gradient and the value made of them;
 * with variables of its own also their start, their gradient and their next value; and a test that extends
 * {@code ObjectiveContract}. {@code examples/plugin} has one, {@code MeanVariance}.
 */
package holdfast.objective;
