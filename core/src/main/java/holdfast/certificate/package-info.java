/**
 * What is certain about a trained model, whatever happens within stated bounds.
 *
 * <p>Against shifts: {@link holdfast.certificate.ShiftCurve} bounds the mean loss, and
 * {@link holdfast.certificate.MisclassificationCurve} the error, of every distribution that rows can be moved to within a budget,
 * under a {@link holdfast.certificate.MoveCost}. {@link holdfast.certificate.MovedRow} shows the worst one found.
 *
 * <p>A certificate is an upper bound of something that can be attacked. To add one, state what is bounded and over what, keep the
 * bound an upper one in floating point, and run the strongest known attacks against it in its test.
 */
package holdfast.certificate;
