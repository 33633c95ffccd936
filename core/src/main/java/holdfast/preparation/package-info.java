/**
 * What is learnt from rows before training, from training rows alone and in the same way on every engine.
 *
 * <p>{@link holdfast.preparation.RowRoles} says from labels and sources which rows train
 * ({@link holdfast.preparation.Split}), which the server keeps and who holds the others. A
 * {@link holdfast.preparation.Preparation} is learnt from {@link holdfast.preparation.RawRows}: the
 * {@link holdfast.preparation.Encoding} of words and missing cells, the {@link holdfast.preparation.Scaling} of features, the
 * {@link holdfast.preparation.LabelScaling} and the {@link holdfast.preparation.Weighting} of rows. Applied to a
 * {@link holdfast.data.Table}, it gives the rows that workers train on. It is made of numbers and text, so that it can travel
 * to where the rows are. {@link holdfast.preparation.SecondMoment} and {@link holdfast.preparation.RowReach} say of prepared
 * rows what learning rates and the theory's constants need.
 */
package holdfast.preparation;
