/**
 * What a trained model is and how well it does. A {@link holdfast.evaluation.TrainedModel} holds everything that prediction
 * needs, from raw cells to answers; {@link holdfast.evaluation.Predictions} reads answers off the scores of rows;
 * {@link holdfast.evaluation.Evaluation} compares them with labels, as {@link holdfast.evaluation.Metric}s, on rows as they are
 * or moved by a {@link holdfast.shift.Shift}, each with an {@link holdfast.evaluation.Interval} where there is one.
 * {@link holdfast.evaluation.HeldOutFigures} does so by source, so that sources that lie do not write the figures.
 */
package holdfast.evaluation;
