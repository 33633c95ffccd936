/**
 * What is learnt: a loss f(theta; x, y) of parameters, a row and its label.
 *
 * <h2>The two interfaces</h2>
 *
 * <p>A {@link holdfast.model.Model} is any loss that can be differentiated in theta and in x. It answers for a block of
 * rows at a time: {@code loss} and {@code addGradient} sum over the block, each row times its weight; {@code losses},
 * {@code gradientInRows} and {@code scores} give one answer per row. It is pure: theta goes in, sums come out, nothing
 * is remembered. So the same object serves every worker and every thread.
 *
 * <p>{@link holdfast.model.LinearScores} adds what only models with scores u = W x (+ intercepts) can say: which
 * elements of theta are weights and which are intercepts, bounds on l' and l'', and which way a row moves to raise its
 * loss most. Learning rates, the convergence guarantee, l1, l2 and linf shifts and coefficients use it.
 * They ask {@code model instanceof LinearScores}; for any other model they find the number another way (the learning
 * rate, by trial), search and say that the result is a lower bound (the shifts), say that nothing is known (the
 * guarantee), or refuse with a one-line message (coefficients).
 *
 * <h2>The models here</h2>
 *
 * <p>{@link holdfast.model.LinearModel} is the base of all models with one score: a subclass gives l(u; y), its slope,
 * its curvature and the worst move along theta. {@link holdfast.model.LogisticRegression} and
 * {@link holdfast.model.SmoothedHinge} predict two classes, {@link holdfast.model.LinearRegression} and
 * {@link holdfast.model.HuberRegression} numbers, {@link holdfast.model.PoissonRegression} counts.
 * {@link holdfast.model.SoftmaxRegression} has one score for each class. {@link holdfast.model.Models} lists their
 * names, a {@link holdfast.model.Target} is the kind of label that a model predicts.
 *
 * <p>{@link holdfast.model.NeuralNetwork} has hidden layers of units, each with an {@link holdfast.model.Activation},
 * and takes the loss of its scores from one of the linear models. {@code NetworkLayout} says where theta holds which
 * weights, {@code NetworkPass} goes forward and backward over a block.
 *
 * <h2>Your own model</h2>
 *
 * <p>Implement {@code Model}: target, number of scores, length of theta, losses, the two gradients, scores. The defaults
 * cover the rest:
 *
 * <ul>
 *   <li>{@code loss}: the losses of the rows, each times its weight, summed in a fixed order.
 *   <li>{@code start}: zeros. Override it if the gradient vanishes there, as a network's does.
 *   <li>{@code penalised}: the L2 penalty covers all of theta. Put what it should leave alone, such as biases,
 *       last.
 *   <li>{@code smoothness}: {@link holdfast.model.Smoothness#UNKNOWN}. Training works without it; the convergence
 *       guarantee says that nothing is known. A bound on L_zz alone helps: the ascent then knows how long its steps may
 *       be and how close it comes.
 *   <li>{@code convexInRows}: no. The ascent to the worst case then takes shorter steps.
 *   <li>{@code rowGradient}: {@code gradientInRows}. Override it if an ascent should not make the same arrays at each step.
 *   <li>{@code curvature}: refused, which only {@code --update newton} needs.
 *   <li>{@code expected} reads a score as the target says; {@code givesProbabilities}: no.
 * </ul>
 *
 * <p>Then let its test extend {@code ModelContract}, which checks the gradients by differences, the sums, the weights
 * of rows, and that scores do not depend on the other rows of a block; for a model linear in its scores,
 * {@code LinearScoresContract}. Use {@link holdfast.math.Logistic} and {@code StrictMath} rather than {@code Math} for
 * exp, log and tanh: results are promised to the bit on every machine.
 */
package holdfast.model;
