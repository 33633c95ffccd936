/**
 * The commands: one class each, and one line each in {@link holdfast.app.command.Commands}. A command reads its
 * options, calls the library or an experiment of {@code holdfast.app.lab}, and prints what {@code holdfast.app.report}
 * makes of the result.
 *
 * <p>What several commands share: the settings of a plan as options ({@code PlanOptions}), engines and their options
 * ({@code EngineOptions}), parameters of a rule or attack as options ({@code FreeOptions}), files of vectors
 * ({@code VectorPipe}), output files that are checked before work begins ({@code OutputFile}), {@code Progress} and
 * {@code Warnings} on standard error.
 */
package holdfast.app.command;
