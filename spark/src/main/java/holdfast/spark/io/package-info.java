/**
 * Tables in files that Spark reads, by the rules of the readers of {@link holdfast.formats}: the same columns, classes and
 * messages.
 *
 * <p>A {@link holdfast.spark.io.SparkFile} is opened by the reader of its format. A first pass sees which labels and words there
 * are; then every row becomes a vector of cells, of which nothing is learnt here.
 */
package holdfast.spark.io;
