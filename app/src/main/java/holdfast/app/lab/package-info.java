/**
 * Experiments: many plans trained on the same data and measured on held-out rows. A {@link holdfast.app.lab.Testbed}
 * trains and measures one plan; {@link holdfast.app.lab.ParallelTasks} runs many trainings on several threads; a
 * {@link holdfast.app.lab.Statistic} is a number over seeds. The experiments themselves are in {@code lab.paper},
 * {@code lab.redteam} and {@code lab.demo}: they return numbers, which {@code holdfast.app.report} shows.
 */
package holdfast.app.lab;
