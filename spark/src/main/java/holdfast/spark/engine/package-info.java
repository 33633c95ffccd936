/**
 * The engine whose workers are on the executors of a cluster.
 *
 * <p>A {@link holdfast.spark.engine.SparkTable} is a DataFrame whose rows have been counted and checked. A {@code RowAssignment}
 * says which worker holds which of its rows and at which place; rows travel to their places and stay on the executors as
 * {@link holdfast.spark.engine.Piece}s of packed blocks: as they are until the preparation is learnt from the training rows
 * ({@code TrainingRows}), by the code of {@link holdfast.preparation}, then prepared. Each round the parameters go out as a
 * broadcast variable and one update per worker comes back ({@code SparkPool}); a worker whose rows are in several pieces is put
 * together along the fixed tree of its blocks, and updates that are too many to travel stay where they are
 * ({@code KeptUpdates}). What travels is numbers and text: plans and preparations are rebuilt where they are used. Every job of
 * ours runs through {@link holdfast.spark.engine.SparkJobs}. Records that come back from tasks are marked for Java's own
 * serializer, since Kryo, which many clusters are set to, cannot make records.
 */
package holdfast.spark.engine;
