/**
 * The experiments of the paper's Section VII, on the embedded Spambase: Table I and Figures 1 to 4, for the class-sorted
 * split that its numbers come from and for an iid split.
 *
 * <p>{@link holdfast.app.paper.PaperExperiment} trains, {@link holdfast.app.paper.PaperResults} holds the numbers,
 * {@link holdfast.app.paper.Claims} checks the paper's sentences against them, and
 * {@link holdfast.app.paper.PaperReport} draws.
 */
package holdfast.app.paper;
