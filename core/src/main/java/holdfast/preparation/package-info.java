/**
 * What is learnt from rows before training: from training rows alone, and in the same way on every engine.
 *
 * <p>{@link holdfast.preparation.RowRoles} decides from labels and sources which rows train
 * ({@link holdfast.preparation.Split}), which ones the server keeps and which worker holds each of the others. A
 * {@link holdfast.preparation.Preparation} is learnt from {@link holdfast.preparation.RawRows}: the
 * {@link holdfast.preparation.Encoding} of words and missing cells, the {@link holdfast.preparation.Scaling} of
 * features, the {@link holdfast.preparation.LabelScaling} and the {@link holdfast.preparation.Weighting} of rows.
 * Applied to a {@link holdfast.data.Table}, it returns the rows that workers train on. It contains only numbers and
 * text, so that it can be sent to where the rows are. {@link holdfast.preparation.SecondMoment} and
 * {@link holdfast.preparation.RowReach} measure prepared rows for the learning rates and the constants of the theory.
 */
package holdfast.preparation;
