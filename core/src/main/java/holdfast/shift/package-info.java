/**
 * Shifts: what can happen to data after training.
 *
 * <p>A {@link holdfast.shift.Shift} changes test rows as they are measured, moves them after the model has scaled them, or
 * changes how frequent the classes are; labels and weights stay. What happens to a row does not depend on other rows, so
 * results do not depend on how rows are cut into blocks. {@link holdfast.shift.Shifts} lists them by name. Worst cases are
 * what an adversary would choose, in units of the scaled features:
 *
 * <ul>
 *   <li>{@link holdfast.shift.WorstCaseShift} (l1, l2, linf): each row goes where it hurts most within the budget.
 *       That is exact for models linear in their scores ({@link holdfast.model.LinearScores}); for any other model it
 *       is searched, and the name then says that the result is a lower bound of the worst case.
 *   <li>{@link holdfast.shift.Trigger}: every row carries a backdoor's trigger, for any model.
 * </ul>
 *
 * <p>Natural shifts happen without intent, to any model:
 *
 * <ul>
 *   <li>{@link holdfast.shift.Noise}: normal noise on every feature, in units of the scaled features.
 *   <li>{@link holdfast.shift.Drift}: each column of numbers is multiplied by its own factor.
 *   <li>{@link holdfast.shift.Missing}: cells are lost and filled as the model's preparation does.
 *   <li>{@link holdfast.shift.Prior}: a class becomes more or less frequent; not for numbers.
 * </ul>
 *
 * <p>To add a shift, write a record that implements {@code Shift} and checks its own parameters, a line in
 * {@code Shifts}, and a test that the rows move as far as allowed and no further. {@code Evaluation} applies shifts
 * block by block.
 */
package holdfast.shift;
