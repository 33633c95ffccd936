/**
 * Verdicts on sources. {@link holdfast.sources.SuspicionTest} names the sources whose labels contradict what all the others
 * say, by a permutation test with a stated level. It asks the workers of a {@link holdfast.training.PreparedRun} through its
 * {@link holdfast.training.SourceProbe}, so it works on every engine.
 */
package holdfast.sources;
