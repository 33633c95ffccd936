/**
 * Experiments: many plans trained on the same data and measured on rows that were held out. A
 * {@link holdfast.app.lab.Testbed} trains and measures one plan; {@link holdfast.app.lab.ParallelTasks} does many of them on
 * several threads; a {@link holdfast.app.lab.Statistic} is a number over seeds. The experiments themselves are in
 * {@code lab.paper} and {@code lab.redteam}: they give numbers, which {@code holdfast.app.report} shows.
 */
package holdfast.app.lab;
