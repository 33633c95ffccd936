/**
 * Verdicts on sources. {@link holdfast.sources.SourceVerdicts} compares every source with the others, in its columns and in
 * how its labels follow from its rows, and names those that stand out, with a stated level. {@link
 * holdfast.sources.SourceValue} says what a source is worth to the others, and {@link holdfast.sources.RunReview} holds all
 * that is said about a run. Rows come from the workers of a {@link holdfast.training.PreparedRun} through its {@link
 * holdfast.training.SourceProbe}, so this works on every engine.
 */
package holdfast.sources;
