/**
 * Tables in files that Spark reads, by the rules of the readers of {@link holdfast.formats}: the same columns, classes
 * and messages.
 *
 * <p>A {@link holdfast.spark.io.SparkFile} is opened by the reader of its format. A first pass collects the labels and
 * words; then every row becomes a vector of cells. Nothing is learnt from the cells here. If sources may be unusable,
 * {@code SourceRows} collects by source what decides that, and leaves out their rows.
 */
package holdfast.spark.io;
