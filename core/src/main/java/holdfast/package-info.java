/**
 * Distributed learning that holds fast when some workers lie and the data shift.
 *
 * <p>This package contains what all others use: checks that fail with a sentence for the user ({@link holdfast.Check}),
 * randomness derived by name ({@link holdfast.Seed}) and the catalogues that turn a plan's text into objects
 * ({@link holdfast.Catalogue}). Start reading at {@link holdfast.training}.
 *
 * <p>The method comes from Zhou, Xu, Wang, Tian, "Robust Distributed Learning Against Both Distributional Shifts and
 * Byzantine Attacks". All comments call it "the paper".
 */
package holdfast;
