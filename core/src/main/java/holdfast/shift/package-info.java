/**
 * What may happen to data after training: each {@link holdfast.shift.Shift} moves the rows of a block, labels stay.
 * {@link holdfast.shift.Shifts} lists them.
 */
package holdfast.shift;
