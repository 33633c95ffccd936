/**
 * The experiments of the paper's Section VII, on the embedded Spambase: Table I and Figures 1 to 4, for the
 * class-sorted split of the paper's numbers and for an iid split; and the same algorithms on ten classes.
 *
 * <p>{@link holdfast.app.lab.paper.PaperExperiment} trains, {@link holdfast.app.lab.paper.PaperResults} holds the
 * numbers and {@link holdfast.app.lab.paper.Claims} checks the paper's statements against them. Figure 3 needs {@code
 * UncheckedAscent}, which takes rates that the program refuses; {@link holdfast.app.lab.paper.AscentPrecision} measures
 * what a precise worst case costs. {@link holdfast.app.lab.paper.NetworkExperiment} repeats the environments with a neural
 * network, which is not convex.
 */
package holdfast.app.lab.paper;
