/**
 * The engine that runs its workers on the executors of a cluster.
 *
 * <p>A {@link holdfast.spark.engine.SparkTable} is a DataFrame whose rows have been counted and checked. A
 * {@code RowAssignment} says which worker holds which of its rows and at which place. Rows are sent to their places and
 * stay on the executors as {@link holdfast.spark.engine.Piece}s of packed blocks. They stay raw until the preparation
 * is learnt from the training rows ({@code TrainingRows}), by the code of {@link holdfast.preparation}; then they are
 * prepared.
 *
 * <p>In each round the parameters go out as a broadcast variable and one update per worker comes back
 * ({@code SparkPool}). A worker whose rows are in several pieces is put together along the fixed tree of its blocks.
 * Updates that are too large to send stay where they are ({@code KeptUpdates}).
 *
 * <p>Only numbers and text are sent: plans and preparations are rebuilt where they are used. Every job of ours runs
 * through {@link holdfast.spark.engine.SparkJobs}. Records that come back from tasks are marked for Java's own
 * serializer, because Kryo, which many clusters use, cannot make records.
 */
package holdfast.spark.engine;
