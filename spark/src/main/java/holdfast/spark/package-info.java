/**
 * Holdfast on Apache Spark, for rows that are spread over the executors of a cluster. Results are equal to those of the
 * engine in one process, to the bit.
 *
 * <p>For pipelines, start from {@link holdfast.spark.RobustLogisticRegression},
 * {@link holdfast.spark.RobustLinearSVC}, {@link holdfast.spark.RobustLinearRegression},
 * {@link holdfast.spark.RobustPoissonRegression}, {@link holdfast.spark.RobustNetworkClassifier} and
 * {@link holdfast.spark.RobustNetworkRegressor}. These stay in this package because Spark writes their class names into
 * saved pipelines, which must still load. What was learnt and how well is in {@link holdfast.spark.RobustSummary} and
 * the summaries beside it. The command {@code train --engine spark} starts from
 * {@link holdfast.spark.SparkTraining}. Both hand a table to {@link holdfast.spark.engine}; files are read by
 * {@link holdfast.spark.io}.
 */
package holdfast.spark;
