/**
 * Shifts: what can happen to data after training.
 *
 * <p>A {@link holdfast.shift.Shift} takes a model, its parameters and a block of test rows, and returns the rows moved;
 * labels and weights stay. How a row moves does not depend on other rows, so results do not depend on how rows are cut
 * into blocks. Budgets are in units of the scaled features. {@link holdfast.shift.Shifts} lists them by name:
 *
 * <ul>
 *   <li>{@link holdfast.shift.WorstCaseShift} (l1, l2, linf): each row goes where it hurts most within the budget.
 *       That is exact for models linear in their scores ({@link holdfast.model.LinearScores}); any other model is
 *       refused with a one-line message, so that no number is printed that is not the worst case.
 *   <li>{@link holdfast.shift.Noise}: normal noise on every feature, for any model.
 *   <li>{@link holdfast.shift.Trigger}: every row carries a backdoor's trigger, for any model.
 * </ul>
 *
 * <p>To add a shift, write a record that implements {@code Shift} and checks its own parameters, a line in
 * {@code Shifts}, and a test that the rows move as far as allowed and no further. {@code Evaluation} applies shifts
 * block by block.
 */
package holdfast.shift;
