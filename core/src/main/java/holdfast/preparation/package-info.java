/**
 * What is learnt from rows before training: from training rows alone, and in the same way on every engine.
 *
 * <p>{@link holdfast.preparation.RowRoles} decides from labels and sources which rows train
 * ({@link holdfast.preparation.HoldOut}), which ones the server keeps and which worker holds each of the others. A
 * {@link holdfast.preparation.Preparation} is learnt from {@link holdfast.preparation.RawRows}: the
 * {@link holdfast.preparation.Encoding} of words and missing cells, the {@link holdfast.preparation.Scaling} of
 * features, the {@link holdfast.preparation.LabelScaling} and the {@link holdfast.preparation.Weighting} of rows.
 * Applied to a {@link holdfast.data.Table}, it returns the rows that workers train on. It contains only numbers and
 * text, so that it can be sent to where the rows are.
 *
 * <p>Some sources may lie. So every number is learnt from one statistic per source, or per group of small sources
 * ({@link holdfast.preparation.SourceGroups}), and these are combined by {@link holdfast.preparation.AcrossSources}, so
 * that f sources, whatever their rows, leave it within the range of the honest sources' own. A source's own statistic
 * need not be robust: if it is spoilt, only that source suffers. Statistics that are pooled are those of one trusted
 * source that has all rows. To learn something new from rows, reduce them by source with
 * {@link holdfast.data.Rows#reduceBySource}, combine the results, and add a law to {@code RobustPreparationTest}.
 *
 * <p>{@link holdfast.preparation.SecondMoment} and
 * {@link holdfast.preparation.RowReach} measure prepared rows for the learning rates and the constants of the theory.
 */
package holdfast.preparation;
