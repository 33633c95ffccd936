/**
 * What workers hold: rows of numbers with a label, in blocks.
 *
 * <p>A {@link holdfast.data.Dataset} is a list of {@link holdfast.data.Block}s of rows. Models see blocks and never
 * single rows, so that rows with their zeros ({@link holdfast.data.DenseBlock}), in half of the memory
 * ({@link holdfast.data.FloatBlock}), without their zeros ({@link holdfast.data.SparseBlock}), outside the heap
 * ({@link holdfast.data.Store}) and moved to their worst case
 * ({@link holdfast.data.MovedBlock}) are interchangeable. The way of the data is one direction:
 * {@link holdfast.data.Split} into training and held-out rows, {@link holdfast.data.Encoding} of words and missing cells and
 * {@link holdfast.data.Scaling} learnt from the training rows alone, {@link holdfast.data.Partition} into one shard per
 * worker. {@link holdfast.data.Rows} is what a data set has in
 * common with rows that are on other machines.
 */
package holdfast.data;
