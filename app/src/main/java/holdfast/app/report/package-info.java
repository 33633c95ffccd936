/**
 * Results for people and programs: text of at most 80 columns, JSON, and self-contained HTML pages. The classes here
 * only show what they are given: {@link holdfast.app.report.Summary} and {@link holdfast.app.report.RunPage} a training run, {@link holdfast.app.report.Scores}
 * evaluations, {@link holdfast.app.report.Listing} catalogues, {@link holdfast.app.report.PartitionReport} who holds
 * which rows, and {@link holdfast.app.report.PaperReport}, {@link holdfast.app.report.RedTeamReport} and
 * {@link holdfast.app.report.BreakpointReport} the experiments, {@link holdfast.app.report.DemoReport} the demonstration.
 * A page is a template filled by {@code Page}, which escapes what comes from data; {@code Drawing} has the pictures.
 */
package holdfast.app.report;
