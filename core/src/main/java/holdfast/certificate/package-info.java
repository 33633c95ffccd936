/**
 * What is certain about a trained model, whatever happens within stated bounds.
 *
 * <p>Against shifts: {@link holdfast.certificate.ShiftCurve} bounds the mean loss, and
 * {@link holdfast.certificate.MisclassificationCurve} the error, of every distribution that rows can be moved to within a budget,
 * under a {@link holdfast.objective.WeightedL2}, or a {@link holdfast.objective.MixedCost}, which changes categories as a whole.
 * {@link holdfast.certificate.MovedRow} shows the worst one found.
 *
 * <p>Against lying sources: {@link holdfast.certificate.Roster} assigns sources to groups, {@link
 * holdfast.certificate.VoteTraining} lets every group learn alone, and {@link holdfast.certificate.ClassVotes} or {@link
 * holdfast.certificate.NumberVotes} say how many lying sources a prediction stands. {@link
 * holdfast.certificate.ReachableVotes} adds that the row itself may move.
 *
 * <p>{@link holdfast.certificate.OptimumGap} says how far a trained model is from the best one for the honest sources.
 * {@link holdfast.certificate.ConformalScores} make sets of classes, and ranges of numbers, that contain the label as often
 * as asked for.
 *
 * <p>A certificate is an upper bound of something that can be attacked. To add one, state what is bounded and over what, keep the
 * bound an upper one in floating point, and run the strongest known attacks against it in its test. Nothing in it may be
 * estimated from the sources that it protects from.
 */
package holdfast.certificate;
