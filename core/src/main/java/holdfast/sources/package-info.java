/**
 * What is said about the sources of a run once it is trained. {@link holdfast.sources.RunReview} is the whole of it.
 *
 * <p>{@link holdfast.sources.SourceVerdicts} compares every source with the others and names those that stand out, each
 * with its {@link holdfast.sources.Finding}s. The null hypothesis is never that sources are equal, for honest sources
 * differ too, but that a source differs from the others as they differ from each other ({@code OutlierTest}). Columns are
 * compared as they came ({@code ColumnTests}); labels are compared with a model of the other sources
 * ({@code CrossFits}, {@code LabelTests}). Sources that mislead are left out of that model, and the labels are compared
 * again.
 *
 * <p>{@link holdfast.sources.SourceValue} says what a source is worth to the others. Both work on a sample of rows in
 * this process ({@link holdfast.training.SourceProbe}), so they are the same on every engine.
 *
 * <p>To ask something new of every source, write one {@code SourceTest}, add it to a list in
 * {@code SourceVerdicts}, and add a line to the benchmark {@code sources}.
 */
package holdfast.sources;
