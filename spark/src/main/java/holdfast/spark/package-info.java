/**
 * The engine for rows that are spread over the executors of an Apache Spark cluster, with the bits of the engine in one
 * process.
 *
 * <p>A {@link holdfast.spark.Table} is a DataFrame whose rows have been counted and checked. A {@link holdfast.spark.RowAssignment}
 * says which worker holds which of its rows and at which place; rows travel to their places once, and stay on the executors
 * as {@link holdfast.spark.Piece}s of packed blocks. Each round the parameters go out as a broadcast variable and one update
 * per worker comes back ({@link holdfast.spark.SparkPool}); a worker whose rows are in several pieces is put together along the
 * fixed tree of its blocks, and updates that are too many to travel stay where they are ({@link holdfast.spark.KeptUpdates}).
 * What travels is numbers and text: plans are rebuilt from their settings where they are used. Every job of ours runs through
 * {@link holdfast.spark.SparkJobs}. Records that come back from tasks are marked for Java's own serializer, since Kryo, which many
 * clusters are set to, cannot make records.
 *
 * <p>Users of pipelines start from {@link holdfast.spark.RobustLogisticRegression} and
 * {@link holdfast.spark.RobustLinearRegression}, which make a Table and an engine ({@link holdfast.spark.Fitting}); the command
 * {@code train --engine spark} starts from {@link holdfast.spark.SparkTraining}, which reads files
 * ({@link holdfast.spark.SparkFile}).
 */
package holdfast.spark;
