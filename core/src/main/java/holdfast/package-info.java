/**
 * Distributed learning that holds fast when some workers lie and the data shift.
 *
 * <p>This package holds what all others use: checks whose failure is a sentence for the user ({@link holdfast.Check}),
 * randomness derived by name ({@link holdfast.Seed}) and the catalogues that turn a plan's text into objects
 * ({@link holdfast.Catalogue}). Start reading at {@link holdfast.training}.
 *
 * <p>The method is that of Zhou, Xu, Wang, Tian, "Robust Distributed Learning Against Both Distributional Shifts and
 * Byzantine Attacks"; "the paper" in all comments.
 */
package holdfast;
