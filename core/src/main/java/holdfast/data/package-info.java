/**
 * What workers hold: rows of numbers with a label, in blocks.
 *
 * <p>A {@link holdfast.data.Dataset} is a list of {@link holdfast.data.Block}s of 256 rows. Models see blocks and never
 * single rows, so that dense rows, rows moved to their worst case ({@link holdfast.data.MovedBlock}) and other kinds of
 * storage are interchangeable. The way of the data is one direction: {@link holdfast.data.Split} into training and
 * held-out rows, {@link holdfast.data.Scaling} fitted on the training rows alone, {@link holdfast.data.Partition} into
 * one shard per worker.
 */
package holdfast.data;
