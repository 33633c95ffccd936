/**
 * What workers hold: rows of numbers with a label, in blocks.
 *
 * <p>A {@link holdfast.data.Table} is what a file has: typed columns of cells, some of which may be missing. What it becomes
 * before training is learnt in {@code holdfast.preparation}. A {@link holdfast.data.Dataset} is a list of
 * {@link holdfast.data.Block}s of rows. Models see blocks and never single rows, so that rows with their zeros
 * ({@link holdfast.data.DenseBlock}), in half of the memory ({@link holdfast.data.FloatBlock}), without their zeros
 * ({@link holdfast.data.SparseBlock}), outside the heap ({@link holdfast.data.Store}) and moved to their worst case
 * ({@link holdfast.data.MovedBlock}) are interchangeable. A {@link holdfast.data.Partition} deals rows to workers.
 * {@link holdfast.data.Rows} is what a data set has in common with rows that are on other machines.
 */
package holdfast.data;
